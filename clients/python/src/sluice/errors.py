"""What a call can raise. No error contains the API key."""

from __future__ import annotations

from typing import Dict, List, Optional, Type


class SluiceError(Exception):
    """The base of every error of this client."""


class ConnectionFailedError(SluiceError):
    """No complete answer arrived. Whether the service acted on the request is unknown."""

    def __init__(self, message: str, timed_out: bool) -> None:
        super().__init__(message, timed_out)
        self.message = message
        self.timed_out = timed_out

    def __str__(self) -> str:
        return self.message


class WebhookVerificationError(SluiceError):
    """This webhook was not signed by the secret, or not lately. Answer it with 400."""


class ApiError(SluiceError):
    """The service answered, but not with a success."""

    code: str
    """For your code, such as `insufficient_balance`. A newer service may send codes that this version does not know."""
    status: int
    """The HTTP status."""
    details: List[str]
    """One string per problem, `"<json pointer>: <what is wrong>"`; empty if the service named none."""
    request_id: Optional[str]
    """Quote it to support. None if the answer did not come from Sluice."""
    retry_after: Optional[int]
    """How many seconds the service asks to wait before the next request."""

    def __init__(
        self,
        message: str,
        code: str,
        status: int,
        details: Optional[List[str]] = None,
        request_id: Optional[str] = None,
        retry_after: Optional[int] = None,
    ) -> None:
        super().__init__(message, code, status, details, request_id, retry_after)
        self.message = message
        self.code = code
        self.status = status
        self.details = details or []
        self.request_id = request_id
        self.retry_after = retry_after

    def __str__(self) -> str:
        problems = "".join(f" {detail};" for detail in self.details).rstrip(";")
        request = "" if self.request_id is None else f", request {self.request_id}"
        return f"{self.message}{problems} ({self.code}{request})"


class ValidationError(ApiError):
    """The request cannot be carried out as it is; the message names each field and what is wrong with it."""


class AuthenticationError(ApiError):
    """The key is missing, wrong or revoked."""


class PermissionDeniedError(ApiError):
    """The key lacks the permission for this operation."""


class NotFoundError(ApiError):
    """There is no such resource for this key."""


class ConflictError(ApiError):
    """The state of the resource does not allow this, or the idempotency key was used for something else."""


class RateLimitError(ApiError):
    """Too many requests; wait for `retry_after` seconds."""


class ServerError(ApiError):
    """The service or something that it depends on fails at present."""


class UnexpectedAnswerError(ApiError):
    """Something else than Sluice answered: a proxy, a redirect, a wrong base URL."""


_BY_CODE: Dict[str, Type[ApiError]] = {"invalid_state": ConflictError, "idempotency_key_mismatch": ConflictError}
_BY_STATUS: Dict[int, Type[ApiError]] = {
    401: AuthenticationError,
    403: PermissionDeniedError,
    404: NotFoundError,
    409: ConflictError,
    429: RateLimitError,
}


def error_class(code: str, status: int) -> Type[ApiError]:
    """The class of a refusal of the service."""
    if status >= 500:
        return ServerError
    if code in _BY_CODE:
        return _BY_CODE[code]
    return _BY_STATUS.get(status, ValidationError)
