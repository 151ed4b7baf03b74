"""When to send a request again, and after how long."""

from __future__ import annotations

import email.utils
import random
import re
import time
from datetime import timezone
from typing import Callable, NamedTuple, Optional

from .errors import ApiError, ConnectionFailedError, SluiceError

DEFAULT_RETRIES = 2
MOST_RETRIES = 10
FIRST_BACKOFF_SECONDS = 0.5
LONGEST_BACKOFF_SECONDS = 8.0

LONGEST_WAIT_SECONDS = 60.0
"""
All waits of one call together stay within this. It is the length of the rate limit's window, so a client refused for
sending too much can always get through.
"""


class Timing(NamedTuple):
    """Time and randomness, passed in so that tests control them."""

    sleep: Callable[[float], None] = time.sleep
    random: Callable[[], float] = random.random
    now: Callable[[], float] = time.time


def is_passing(error: SluiceError) -> bool:
    """Whether the same request may succeed later: 429, 5xx, or no complete answer."""
    if isinstance(error, ApiError):
        return error.status == 429 or error.status >= 500
    return isinstance(error, ConnectionFailedError)


def wait_before(retry: int, error: SluiceError, chance: float) -> float:
    """How long to wait before retry number `retry` (from 0). Never shorter than the service asked for."""
    ceiling = min(LONGEST_BACKOFF_SECONDS, FIRST_BACKOFF_SECONDS * float(2**retry))
    # Half of it is random, so that clients which failed together do not retry together.
    backoff = ceiling * (0.5 + chance / 2)
    asked = error.retry_after if isinstance(error, ApiError) else None
    return max(backoff, float(asked or 0))


def retry_after_seconds(header: Optional[str], now: float) -> Optional[int]:
    """Reads `Retry-After` (RFC 9110, 10.2.3): seconds, or the date that some proxies send."""
    if header is None:
        return None
    if re.fullmatch(r"[0-9]{1,9}", header):
        return int(header)
    try:
        date = email.utils.parsedate_to_datetime(header)
    except (TypeError, ValueError, IndexError):
        return None
    if date.tzinfo is None:
        date = date.replace(tzinfo=timezone.utc)
    return max(0, -int(-(date.timestamp() - now) // 1))
