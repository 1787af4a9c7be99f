"""What a report says, as plain values: every renderer prints these and computes nothing of its own.

Numbers are unrounded, None stands where there is none, texts are as the golden set and the service gave them.
"""
