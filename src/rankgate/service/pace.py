"""A limit on requests per second."""

import asyncio


class Pace:
    """Gives each request its turn: never two closer together than the limit allows, however many wait."""

    def __init__(self, per_second: float | None) -> None:
        """Allow *per_second* requests; None allows any number."""
        self._interval = 1 / per_second if per_second else 0.0
        self._next = 0.0

    async def turn(self) -> None:
        """Wait until the next request may go out."""
        if not self._interval:
            return
        now = asyncio.get_running_loop().time()
        at = max(now, self._next)
        self._next = at + self._interval
        if at > now:
            await asyncio.sleep(at - now)
