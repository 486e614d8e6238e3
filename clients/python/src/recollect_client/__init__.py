"""Client of Recollect: add documents, search them, and get answers with sources."""

from . import models, params
from ._client import AsyncRecollect, Recollect
from ._errors import (
    AuthenticationError,
    ConflictError,
    ConnectionFailedError,
    ForbiddenError,
    InvalidRequestError,
    JobFailedError,
    LimitError,
    NotFoundError,
    RecollectError,
    ServiceError,
    TooLargeError,
    UnprocessableError,
    UnsupportedTypeError,
)
from ._request import NOT_GIVEN, NotGiven, Upload
from ._stream import AnswerEvent, CitationEvent, DoneEvent, TokenEvent
from ._version import VERSION as __version__

__all__ = [
    "NOT_GIVEN",
    "AnswerEvent",
    "AsyncRecollect",
    "AuthenticationError",
    "CitationEvent",
    "ConflictError",
    "ConnectionFailedError",
    "DoneEvent",
    "ForbiddenError",
    "InvalidRequestError",
    "JobFailedError",
    "LimitError",
    "NotFoundError",
    "NotGiven",
    "Recollect",
    "RecollectError",
    "ServiceError",
    "TokenEvent",
    "TooLargeError",
    "UnprocessableError",
    "UnsupportedTypeError",
    "Upload",
    "__version__",
    "models",
    "params",
]
