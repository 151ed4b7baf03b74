# This file is generated from the contract.
from __future__ import annotations

from typing import Any, Dict, Literal, Mapping, Type, Union

from ..model import EventModel
from .models import CreditedBalance, Invoice, Payout, Refund


class InvoiceConfirming(EventModel):
    """The invoice went live: address, amount and window are fixed."""

    __slots__ = ()
    _nested = {"data": Invoice}

    event: Literal["invoice.confirming"]
    data: Invoice


class InvoicePaymentDetected(EventModel):
    """A payment was seen on the chain; it is not confirmed yet."""

    __slots__ = ()
    _nested = {"data": Invoice}

    event: Literal["invoice.payment_detected"]
    data: Invoice


class InvoicePaid(EventModel):
    """The amount is confirmed. The only event that should release goods; at most once per invoice."""

    __slots__ = ()
    _nested = {"data": Invoice}

    event: Literal["invoice.paid"]
    data: Invoice


class InvoiceUnderpaid(EventModel):
    """Less than the amount is confirmed."""

    __slots__ = ()
    _nested = {"data": Invoice}

    event: Literal["invoice.underpaid"]
    data: Invoice


class InvoiceOverpaid(EventModel):
    """More than the amount is confirmed."""

    __slots__ = ()
    _nested = {"data": Invoice}

    event: Literal["invoice.overpaid"]
    data: Invoice


class InvoiceExpired(EventModel):
    """The window ended before a sufficient payment."""

    __slots__ = ()
    _nested = {"data": Invoice}

    event: Literal["invoice.expired"]
    data: Invoice


class InvoiceCancelled(EventModel):
    """The invoice was cancelled before anything was paid."""

    __slots__ = ()
    _nested = {"data": Invoice}

    event: Literal["invoice.cancelled"]
    data: Invoice


class InvoiceLateDeposit(EventModel):
    """A payment to an expired or cancelled invoice is confirmed."""

    __slots__ = ()
    _nested = {"data": Invoice}

    event: Literal["invoice.late_deposit"]
    data: Invoice


class InvoiceDepositReversed(EventModel):
    """A confirmed payment left the chain."""

    __slots__ = ()
    _nested = {"data": Invoice}

    event: Literal["invoice.deposit_reversed"]
    data: Invoice


class InvoiceDepositRestored(EventModel):
    """A payment that had left the chain is confirmed again."""

    __slots__ = ()
    _nested = {"data": Invoice}

    event: Literal["invoice.deposit_restored"]
    data: Invoice


class BalanceCredited(EventModel):
    """Funds can be spent."""

    __slots__ = ()
    _nested = {"data": CreditedBalance}

    event: Literal["balance.credited"]
    data: CreditedBalance


class PayoutApproved(EventModel):
    """The payout was approved."""

    __slots__ = ()
    _nested = {"data": Payout}

    event: Literal["payout.approved"]
    data: Payout


class PayoutProcessing(EventModel):
    """The payout was submitted to its network."""

    __slots__ = ()
    _nested = {"data": Payout}

    event: Literal["payout.processing"]
    data: Payout


class PayoutCompleted(EventModel):
    """The payout is confirmed on the chain."""

    __slots__ = ()
    _nested = {"data": Payout}

    event: Literal["payout.completed"]
    data: Payout


class PayoutFailed(EventModel):
    """The payout failed, and its funds were released."""

    __slots__ = ()
    _nested = {"data": Payout}

    event: Literal["payout.failed"]
    data: Payout


class PayoutCancelled(EventModel):
    """The payout was cancelled or rejected, and its funds were released."""

    __slots__ = ()
    _nested = {"data": Payout}

    event: Literal["payout.cancelled"]
    data: Payout


class RefundCompleted(EventModel):
    """The refund is confirmed on the chain."""

    __slots__ = ()
    _nested = {"data": Refund}

    event: Literal["refund.completed"]
    data: Refund


class RefundFailed(EventModel):
    """The refund failed, and its funds were released."""

    __slots__ = ()
    _nested = {"data": Refund}

    event: Literal["refund.failed"]
    data: Refund


class WebhookTest(EventModel):
    """A test of your endpoint; nothing happened."""

    __slots__ = ()

    event: Literal["webhook.test"]
    data: Dict[str, Any]


WebhookEvent = Union[
    InvoiceConfirming,
    InvoicePaymentDetected,
    InvoicePaid,
    InvoiceUnderpaid,
    InvoiceOverpaid,
    InvoiceExpired,
    InvoiceCancelled,
    InvoiceLateDeposit,
    InvoiceDepositReversed,
    InvoiceDepositRestored,
    BalanceCredited,
    PayoutApproved,
    PayoutProcessing,
    PayoutCompleted,
    PayoutFailed,
    PayoutCancelled,
    RefundCompleted,
    RefundFailed,
    WebhookTest,
]
"""A webhook. Comparing `event` with a name tells the type checker what `data` is."""

EVENTS: Mapping[str, Type[EventModel]] = {
    "invoice.confirming": InvoiceConfirming,
    "invoice.payment_detected": InvoicePaymentDetected,
    "invoice.paid": InvoicePaid,
    "invoice.underpaid": InvoiceUnderpaid,
    "invoice.overpaid": InvoiceOverpaid,
    "invoice.expired": InvoiceExpired,
    "invoice.cancelled": InvoiceCancelled,
    "invoice.late_deposit": InvoiceLateDeposit,
    "invoice.deposit_reversed": InvoiceDepositReversed,
    "invoice.deposit_restored": InvoiceDepositRestored,
    "balance.credited": BalanceCredited,
    "payout.approved": PayoutApproved,
    "payout.processing": PayoutProcessing,
    "payout.completed": PayoutCompleted,
    "payout.failed": PayoutFailed,
    "payout.cancelled": PayoutCancelled,
    "refund.completed": RefundCompleted,
    "refund.failed": RefundFailed,
    "webhook.test": WebhookTest,
}

__all__ = [
    "BalanceCredited",
    "InvoiceCancelled",
    "InvoiceConfirming",
    "InvoiceDepositRestored",
    "InvoiceDepositReversed",
    "InvoiceExpired",
    "InvoiceLateDeposit",
    "InvoiceOverpaid",
    "InvoicePaid",
    "InvoicePaymentDetected",
    "InvoiceUnderpaid",
    "PayoutApproved",
    "PayoutCancelled",
    "PayoutCompleted",
    "PayoutFailed",
    "PayoutProcessing",
    "RefundCompleted",
    "RefundFailed",
    "WebhookEvent",
    "WebhookTest",
]
