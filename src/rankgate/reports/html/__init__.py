"""The report to look at: one file that needs no network, no server and, for its verdict, no script.

What decides is HTML that stands without the script: verdict, rules, evidence, slices, worst queries. The script adds
what needs a pointer or a keyboard: the charts, the list of all queries, the two rankings of one. The charts are SVG,
drawn by hand: two kinds of marks need no library, which would outweigh the rest of the file, and SVG prints sharp, can
be read aloud, and needs no style or script that the policy forbids.
"""

from string import Template
from typing import Final

from rankgate.reports.html import sections, tables
from rankgate.reports.html.data import block
from rankgate.reports.html.markup import Markup, together
from rankgate.reports.html.page import asset, page
from rankgate.reports.records.report import Facts

#: In the order in which they build on each other.
SCRIPTS: Final = ("base.js", "charts.js", "list.js", "detail.js", "main.js")


def render(facts: Facts) -> str:
    """The report as one HTML document."""
    before = [
        ("broken", "Broken", sections.broken(facts)),
        ("behind", "Behind the means", sections.behind(facts)),
        ("failures", "Not measured", sections.failures(facts)),
        ("gate", "Gate", tables.gate(facts)),
        ("evidence", "Evidence", tables.evidence(facts)),
        ("slices", "Slices", tables.slices(facts)),
        ("worst", "Worst", sections.worst(facts)),
    ]
    after = [
        ("firsts", "First results", sections.firsts(facts)),
        ("golden-set", "Golden set", sections.golden_set(facts)),
        ("agreement", "Agreement", sections.agreement(facts)),
        ("notes", "Notes", sections.notes(facts)),
    ]
    body = Template(asset("report.html")).substitute(
        verdict=sections.verdict(facts),
        before=together(part for _, _, part in before),
        after=together(part for _, _, part in after),
        links=sections.links([*before, ("queries", "Queries", Markup(" ")), *after]),
        data=block(facts),
    )
    return page(f"{facts.word}: rankgate", body, style=asset("style.css"), script="\n".join(map(asset, SCRIPTS)))
