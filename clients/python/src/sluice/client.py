"""The client."""

from __future__ import annotations

from typing import Any, Optional

from .generated.resources import Resources
from .resource import Resource
from .retry import DEFAULT_RETRIES, Timing
from .transport import DEFAULT_TIMEOUT_SECONDS, Transport


class Sluice(Resources):
    """
    A client for one Sluice, safe to share between threads.

    base_url: Origin and `/api`, such as `https://pay.example.com/api`.
    api_key: Not needed for currencies and rates. Sent only with operations that need it.
    timeout: The time limit of one attempt, from connecting to the last byte of the answer, in seconds.
    max_retries: How often a request that is safe to repeat is sent again, 0 to 10.
    timing: For tests.
    """

    def __init__(
        self,
        base_url: str,
        api_key: Optional[str] = None,
        *,
        timeout: float = DEFAULT_TIMEOUT_SECONDS,
        max_retries: int = DEFAULT_RETRIES,
        timing: Timing = Timing(),
    ) -> None:
        self._attach(Resource(Transport(base_url, api_key, timeout, max_retries, timing)))

    def __reduce__(self) -> Any:
        raise TypeError("a client cannot be serialised, because its API key must not be written down")
