"""The command line: arguments, streams, progress, exit codes; the only writer of stdout and stderr.

==== =========================================================================================
code meaning
==== =========================================================================================
0    the gate passes, perhaps with warnings
1    the gate fails
2    the command line, config, golden set or baseline is wrong or missing
3    the service could not be measured well enough to decide; the only code worth a retry
4    a bug in rankgate
130  Ctrl-C
==== =========================================================================================
"""

from rankgate.cli.entry import cli, main

__all__ = ["cli", "main"]
