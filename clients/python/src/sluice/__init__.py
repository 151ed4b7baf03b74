"""Client for the Sluice payments API: `Sluice` for calls, `webhooks` for what the service sends."""

from . import webhooks
from .client import Sluice
from .errors import (
    ApiError,
    AuthenticationError,
    ConflictError,
    ConnectionFailedError,
    NotFoundError,
    PermissionDeniedError,
    RateLimitError,
    ServerError,
    SluiceError,
    UnexpectedAnswerError,
    ValidationError,
    WebhookVerificationError,
)
from .generated import events, models
from .generated.events import *
from .generated.models import *
from .model import Model, Page, Rows, UnknownEvent
from .transport import VERSION as __version__

__all__ = [
    "ApiError",
    "AuthenticationError",
    "ConflictError",
    "ConnectionFailedError",
    "Model",
    "NotFoundError",
    "Page",
    "PermissionDeniedError",
    "RateLimitError",
    "Rows",
    "ServerError",
    "Sluice",
    "SluiceError",
    "UnexpectedAnswerError",
    "UnknownEvent",
    "ValidationError",
    "WebhookVerificationError",
    "__version__",
    "webhooks",
]
__all__ += events.__all__
__all__ += models.__all__
