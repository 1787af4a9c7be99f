"""What a gate costs: asking, the whole command, and the commands that ask nobody, each beside its limit.

Usage: ``python benchmarks/cost.py PYTHON``, with the Python of an environment into which a wheel of rankgate was
installed (pip compiles what it installs; an editable checkout starts more slowly). 120 answers of 12 to 37 KB come from
a server of its own process; its time for an answer is the service's latency. Ratios within one run count.
"""

import asyncio
import json
import random
import re
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

QUERIES = 120
HITS = 50
TURNS = 7

CONFIG = """\
version: 1
service:
  url: http://127.0.0.1:{port}/search
  params: {{q: "{{query}}"}}
  hits: hits
  id: id
gate:
  P@1: {{max_drop: 0.02}}
  P@3: {{max_drop: 0.02}}
  nDCG@10: {{max_drop: 0.02}}
  R@50: {{max_drop: 0.02}}
  RR: {{max_drop: 0.02}}
  ZeroResults: {{max_rise: 0.02}}
"""

#: Runs inside the measured environment: seconds and CPU milliseconds a request of each way to ask.
ASKING = """
import asyncio, json, sys, time
way, port, concurrency = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
texts = [f"text {number}" for number in range(120)]
if way == "rankgate":
    from rankgate.files.service_spec import ServiceSpec
    from rankgate.service import client
    url = f"http://127.0.0.1:{port}/search"
    spec = ServiceSpec(url, "hits", "id", params={"q": "{query}"}, concurrency=concurrency)
    asks = [client.Ask(text, text) for text in texts]
    ask = lambda: client.measure(spec, asks, 50)
else:
    import httpx
    async def everything():
        limit = asyncio.Semaphore(concurrency)
        async with httpx.AsyncClient() as one:
            async def get(text):
                async with limit:
                    answer = await one.get(f"http://127.0.0.1:{port}/search", params={"q": text})
                    return [hit["id"] for hit in answer.json()["hits"]]
            await asyncio.gather(*map(get, texts))
    def ask(): asyncio.run(everything())
ask()
wall, cpu = time.perf_counter(), time.process_time()
ask()
print(json.dumps([time.perf_counter() - wall, (time.process_time() - cpu) / 120 * 1000]))
"""


_NUMBER = re.compile(rb"text(?:%20|[+])([0-9]+)")


class _Answers(asyncio.Protocol):
    """An HTTP server that knows one page for each query, and gives it after a delay."""

    bodies: tuple[bytes, ...] = ()
    delay = 0.0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = transport
        self.pending = b""

    def data_received(self, data: bytes) -> None:
        self.pending += data
        while b"\r\n\r\n" in self.pending:
            head, _, self.pending = self.pending.partition(b"\r\n\r\n")
            body = self.bodies[int(_NUMBER.findall(head)[0])]
            answer = (
                b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n" % len(body) + body
            )
            assert isinstance(self.transport, asyncio.Transport)
            asyncio.get_running_loop().call_later(self.delay, self.transport.write, answer)


def serve(delay: float) -> None:
    """Serve until ended; the port is the first line of stdout."""
    draw = random.Random(7)
    _Answers.delay = delay
    _Answers.bodies = tuple(
        json.dumps(
            {
                "hits": [
                    {"id": f"d{query}-{rank}", "text": "x" * (draw.randint(12_000, 37_000) // HITS)}
                    for rank in range(HITS)
                ]
            }
        ).encode()
        for query in range(QUERIES)
    )

    async def forever() -> None:
        server = await asyncio.get_running_loop().create_server(_Answers, "127.0.0.1", 0)
        print(server.sockets[0].getsockname()[1], flush=True)
        await server.serve_forever()

    asyncio.run(forever())


@contextmanager
def service(delay: float) -> Iterator[int]:
    """A server of its own process; its port."""
    with subprocess.Popen(
        [sys.executable, __file__, "serve", str(delay)], stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        try:
            yield int(process.stdout.readline())
        finally:
            process.kill()


def project(folder: Path, port: int) -> None:
    """A golden set of 120 queries with 20 judgments each, and two saved runs."""
    draw = random.Random(7)
    (folder / "queries").mkdir()
    (folder / "rankgate.yaml").write_text(CONFIG.format(port=port), encoding="utf-8")
    queries = [
        {
            "id": f"q{number}",
            "text": f"text {number}",
            "judgments": {f"d{number}-{rank}": draw.choice((0, 0, 1, 2, 3)) if rank else 3 for rank in range(20)},
        }
        for number in range(QUERIES)
    ]
    lines = ["queries:"]
    for query in queries:
        lines += [f"  - id: {query['id']}", f"    text: {query['text']}", "    judgments:"]
        assert isinstance(query["judgments"], dict)
        lines += [f"      {document}: {grade}" for document, grade in query["judgments"].items()]
    (folder / "queries" / "all.yaml").write_text("\n".join(lines) + "\n", encoding="utf-8")
    for name in ("a", "b"):
        rows = [json.dumps({"rankgate": "run", "format": 1, "depth": HITS, "queries": QUERIES})]
        for query in sorted(queries, key=lambda each: str(each["id"])):
            ids = [f"d{str(query['id'])[1:]}-{rank}" for rank in range(HITS)]
            if name == "b":
                head = ids[:10]
                draw.shuffle(head)
                ids[:10] = head
            rows.append(json.dumps({"id": query["id"], "text": query["text"], "ids": ids}))
        (folder / f"{name}.jsonl").write_text("\n".join(rows) + "\n", encoding="utf-8")


def timed(command: list[str], folder: Path) -> float:
    """Seconds of a whole process."""
    begun = time.perf_counter()
    subprocess.run(command, cwd=folder, capture_output=True, check=False)
    return time.perf_counter() - begun


def row(what: str, value: float, unit: str, against: str, limit: float) -> None:
    """A line of the table."""
    print(f"| {what} | {value:.3g} {unit} | {against} | {limit:g} |", flush=True)


def asking(python: str) -> None:
    """The phase of requests, beside the ideal and beside one shared httpx client."""
    for delay, concurrency, limit in ((0.05, 8, 1.10), (0.05, 32, 1.5)):
        ideal = -(-QUERIES // concurrency) * delay
        with service(delay) as port:
            for way in ("rankgate", "httpx"):
                seconds = [_ask(python, way, port, concurrency)[0] for _ in range(TURNS)]
                name = f"asking, {1000 * delay:g} ms, {concurrency} at once, {way}"
                middle = statistics.median(seconds) / ideal
                row(name, middle, "of the ideal", f"ideal {ideal:g} s", limit if way == "rankgate" else 0)
    with service(0.0) as port:
        for way in ("rankgate", "httpx"):
            cpu = statistics.median(_ask(python, way, port, 8)[1] for _ in range(TURNS))
            row(f"CPU a request, 0 ms, 8 at once, {way}", cpu, "ms", "-", 0.8 if way == "rankgate" else 0)


def _ask(python: str, way: str, port: int, concurrency: int) -> list[float]:
    done = subprocess.run(
        [python, "-c", ASKING, way, str(port), str(concurrency)], capture_output=True, text=True, check=True
    )
    found: list[float] = json.loads(done.stdout)
    return found


def commands(python: str) -> None:
    """Whole processes; those that ask nobody are over a Python that does nothing."""
    rankgate = [python, "-m", "rankgate"]
    with service(0.05) as port, tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        project(folder, port)
        subprocess.run([*rankgate, "accept", "-q"], cwd=folder, capture_output=True, check=True)
        whole = statistics.median(timed([*rankgate, "check", "-q"], folder) for _ in range(TURNS))
        row("rankgate check, 50 ms, 8 at once", whole / 0.75, "of the ideal", "ideal 0.75 s", 1.35)
        cases = (
            ("rankgate --help", [*rankgate, "--help"], 45),
            ("import click alone", [python, "-c", "import click"], 0),
            ("rankgate validate, 120 queries", [*rankgate, "validate"], 90),
            ("rankgate diff with intervals", [*rankgate, "diff", "a.jsonl", "b.jsonl"], 140),
            ("import numpy, yaml and pydantic alone", [python, "-c", "import numpy, yaml, pydantic"], 0),
        )
        nothing = [timed([python, "-c", "pass"], folder) for _ in range(2 * TURNS)]
        for what, command, limit in cases:
            seconds = [timed(command, folder) for _ in range(2 * TURNS)]
            over = 1000 * (statistics.median(seconds) - statistics.median(nothing))
            row(what, over, "ms", f"over bare Python, {1000 * statistics.median(nothing):.3g} ms", limit)


if __name__ == "__main__":
    if sys.argv[1:2] == ["serve"]:
        serve(float(sys.argv[2]))
    else:
        print("| what | measured | beside | limit |\n|---|---|---|---|")
        asking(sys.argv[1])
        commands(sys.argv[1])
