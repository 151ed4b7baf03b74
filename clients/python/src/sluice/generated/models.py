# This file is generated from the contract.
from __future__ import annotations

from typing import Any, Dict, List, Literal, Optional

from ..model import Model

DeliveryStatus = Literal["pending", "succeeded", "failed"]

Environment = Literal["live", "test"]

ErrorCode = Literal[
    "validation_error",
    "invalid_state",
    "unauthorized",
    "forbidden",
    "step_up_required",
    "second_factor_required",
    "password_change_required",
    "not_found",
    "conflict",
    "idempotency_key_mismatch",
    "amount_too_small",
    "insufficient_balance",
    "invalid_destination",
    "refund_exceeds_credited",
    "webhook_target_refused",
    "rate_limited",
    "internal_error",
    "service_unavailable",
    "gate_offline",
    "rate_unavailable",
]

EventName = Literal[
    "invoice.confirming",
    "invoice.payment_detected",
    "invoice.paid",
    "invoice.underpaid",
    "invoice.overpaid",
    "invoice.expired",
    "invoice.cancelled",
    "invoice.late_deposit",
    "invoice.deposit_reversed",
    "invoice.deposit_restored",
    "balance.credited",
    "payout.approved",
    "payout.processing",
    "payout.completed",
    "payout.failed",
    "payout.cancelled",
    "refund.completed",
    "refund.failed",
    "webhook.test",
]

GateStatus = Literal["online", "offline"]

InvoiceStatus = Literal["pending", "paid", "underpaid", "overpaid", "expired", "cancelled"]

LedgerEntryType = Literal[
    "deposit",
    "late_deposit",
    "fee",
    "payout",
    "payout_fee",
    "network_fee",
    "refund",
    "refund_fee",
    "release",
    "reversal",
    "adjustment",
]

Order = Literal["newest_first", "oldest_first"]

PayoutStatus = Literal[
    "pending_approval",
    "approved",
    "processing",
    "completed",
    "failed",
    "cancelled",
]

RefundStatus = Literal["pending", "processing", "completed", "failed", "cancelled"]

ShopPermission = Literal[
    "invoices:read",
    "invoices:write",
    "refunds:read",
    "refunds:write",
    "events:read",
]

SuspenseReason = Literal[
    "dust",
    "missing_tag",
    "unknown_tag",
    "wrong_currency",
    "wrong_network",
    "unassigned_address",
    "recovered",
]


class Invoice(Model):
    __slots__ = ()

    id: str

    merchant_id: str

    environment: Environment
    """The two separate environments."""

    status: InvoiceStatus

    source: Literal["api", "static_address", "dashboard"]
    """Where the invoice was created."""

    static_address_id: Optional[str]
    """The static address whose deposit created the invoice, if any."""

    currency: Optional[str]
    """The currency to pay in. Null until the payer picks the asset."""

    network: Optional[str]
    """Null until the payer picks the asset."""

    amount: Optional[str]
    """The amount to be paid. Null until the payer picks the asset; then it never changes."""

    amount_fiat: Optional[str]
    """The price, if the invoice was created with one."""

    fiat_currency: Optional[str]
    """The currency of `amount_fiat`."""

    exchange_rate: Optional[str]
    """The price of one unit in `fiat_currency` when `amount` was fixed. Null without a fiat price."""

    rate_locked_at: Optional[str]
    """When `exchange_rate` was fixed."""

    amount_in_base_currency: Optional[str]
    """The value of `amount` in the merchant's base currency when it was fixed. Null if there was no rate."""

    base_currency: Optional[str]
    """The currency of `amount_in_base_currency`, which stays when the merchant changes theirs. Null when that is."""

    amount_paid: str
    """The confirmed amount."""

    amount_pending: str
    """The amount seen on the chain but not confirmed yet."""

    amount_due: Optional[str]
    """The amount still to be paid. `0` once paid; null until the payer picks the asset."""

    amount_overpaid: str
    """The amount confirmed beyond `amount`."""

    amount_refunded: str
    """The amount paid back to the payer."""

    fee_amount: str
    """The service's fee on the deposits."""

    deferred: bool
    """Whether the payer picks the asset."""

    deposit_address: Optional[str]
    """The address to pay to. Null until the payer picks the asset."""

    deposit_address_tag: Optional[str]
    """The memo or tag that must go with the address, on networks that have one."""

    payment_uri: Optional[str]
    """
    Opens a wallet, as a link or in a QR code. Null while there is no address and once nothing more is due. On Solana
    it is a transfer request of Solana Pay with the reference and the description.
    """

    payment_reference: Optional[str]
    """
    On Solana, the key that payments of this invoice name if they were made from `payment_uri` or the payment page:
    `getSignaturesForAddress` finds them by it. It is the SHA-256 of `sluice payment reference 1`, a line feed and the
    invoice's id, in base58. Null on other networks, until the payer picks the asset, and for a static address's
    invoice.
    """

    gate_id: Optional[str]
    """Null until the payer picks the asset."""

    required_confirmations: Optional[int]
    """
    How many confirmations a payment needs before it counts, by the invoice's amount; a larger payment may need more.
    Null until the payer picks the asset.
    """

    description: Optional[str]
    """What it is for. If a deposit to a static address created it, the label that the address had then."""

    external_id: Optional[str]
    """Your own id for the order."""

    metadata: Optional[Dict[str, Any]]

    redirect_url: Optional[str]
    """
    Where the payment page sends the payer afterwards; in the live environment only if it starts with `https://`.
    """

    checkout_url: Optional[str]
    """The payment page for the payer. Null for a static address's invoice."""

    idempotency_key: Optional[str]

    expires_at: Optional[str]
    """
    When the window ends: first the one for picking the asset, then the one for paying. Null for a static address's
    invoice.
    """

    live_at: Optional[str]
    """When address, amount and window were fixed. Null until the payer picks the asset."""

    paid_at: Optional[str]
    """When the amount was reached."""

    cancelled_at: Optional[str]

    created_at: str
    """ISO 8601 in UTC with milliseconds."""

    updated_at: str
    """ISO 8601 in UTC with milliseconds."""


class Payment(Model):
    __slots__ = ()

    id: str

    tx_hash: str
    """
    The transaction that pays. A native transfer inside a contract call, as from a multisignature wallet, is detected
    by the address's balance; then this is the hash of the first block after which the address had the funds.
    """

    explorer_url: Optional[str]
    """
    The transaction at a public explorer of its network. Null in the test environment, which has none, and while there
    is no transaction.
    """

    output_index: int
    """Which output or transfer of the transaction pays; together with the hash it identifies the payment."""

    currency: str

    network: str
    """A network's name, in lower case."""

    amount: str
    """A decimal without exponent, sign or trailing zeros."""

    confirmations: int
    """How many confirmations it has now; 0 outside a block."""

    required_confirmations: int
    """
    How many confirmations it needs before it counts: those of the invoice, or more if its transaction pays a larger
    amount or is a miner's reward.
    """

    status: Literal["detected", "confirming", "confirmed", "reversed"]
    """Seen outside a block, in a block, with enough confirmations to count, or no longer on the chain."""

    late: bool
    """Whether it came after the payment window, or after the invoice was cancelled."""

    block_height: Optional[int]
    """Null outside a block."""

    detected_at: str
    """When it was first seen."""

    confirmed_at: Optional[str]
    """When it had enough confirmations to count."""


class Refund(Model):
    __slots__ = ()

    id: str

    invoice_id: str
    """The invoice that is refunded."""

    payout_id: str
    """The payout that sends it."""

    currency: str

    network: str
    """A network's name, in lower case."""

    amount: str
    """The exact amount that the recipient gets."""

    amount_in_base_currency: Optional[str]
    """The value of `amount` in the merchant's base currency at creation. Null without a rate."""

    base_currency: Optional[str]
    """The currency of `amount_in_base_currency`, which stays when the merchant changes theirs. Null when that is."""

    refund_fee: str
    """The service's fee."""

    network_fee: str
    """The amount reserved for the network fee, and once completed the fee that the network took; in `currency`."""

    destination: str
    """The destination address, in the service's canonical form for this network."""

    destination_tag: Optional[str]

    allow_program_address: bool
    """Whether a program controls the destination, which the request allowed explicitly."""

    status: RefundStatus

    environment: Environment
    """The two separate environments."""

    tx_hash: Optional[str]
    """Its transaction; null until there is one."""

    explorer_url: Optional[str]
    """
    The transaction at a public explorer of its network. Null in the test environment, which has none, and while there
    is no transaction.
    """

    waiting_reason: Optional[str]
    """Why it does not proceed at present, in words; null if nothing holds it up."""

    waiting_reasons: List[Reason]
    """The same reason, sentence by sentence, each with a code for messages in other languages. Empty without one."""

    failure_reason: Optional[str]
    """Why it failed."""

    failure_reasons: List[Reason]
    """The same reason, sentence by sentence, each with a code for messages in other languages. Empty without one."""

    description: Optional[str]

    metadata: Optional[Dict[str, Any]]

    completed_at: Optional[str]
    """When it was confirmed on the chain."""

    created_at: str
    """ISO 8601 in UTC with milliseconds."""


class Reason(Model):
    __slots__ = ()

    code: str
    """Which sentence it is. Codes are added over time; `other` stands for words of a node, or of an older version."""

    message: str
    """The sentence in English. Show it if you do not know the code."""

    values: Dict[str, Any]
    """The values in the sentence."""


class StaticAddress(Model):
    __slots__ = ()

    id: str

    merchant_id: str

    currency: str

    network: str
    """A network's name, in lower case."""

    environment: Environment
    """The two separate environments."""

    gate_id: str
    """The gate that serves a network in an environment."""

    address: str
    """The address to pay to."""

    address_tag: Optional[str]
    """The memo or tag that must be shown beside the address, on networks that have one."""

    label: Optional[str]
    """Your own name for the address. It is the `description` of the invoices that deposits to it create."""

    total_received: str
    """The sum of all confirmed deposits, less reversals."""

    total_received_in_base_currency: Optional[str]
    """
    The value of `total_received` in the merchant's base currency at the current rate. Null without a rate. What each
    deposit was worth when it came is in the invoice that it created.
    """

    base_currency: Optional[str]
    """The currency of `total_received_in_base_currency`. Null when that is."""

    invoice_count: int
    """How many confirmed deposits created an invoice, less reversals."""

    created_at: str
    """ISO 8601 in UTC with milliseconds."""


class Payout(Model):
    __slots__ = ()

    id: str

    currency: str

    network: str
    """A network's name, in lower case."""

    amount: str
    """The exact amount that the recipient gets."""

    amount_in_base_currency: Optional[str]
    """The value of `amount` in the merchant's base currency at creation. Null without a rate."""

    base_currency: Optional[str]
    """The currency of `amount_in_base_currency`, which stays when the merchant changes theirs. Null when that is."""

    network_fee: str
    """The amount reserved for the network fee, and once completed the fee that the network took; in `currency`."""

    fee_amount: str
    """The service's fee. Zero for a refund's payout, because the refund has its own fee."""

    destination: str
    """The destination address, in the service's canonical form for this network."""

    destination_tag: Optional[str]

    allow_program_address: bool
    """Whether a program controls the destination, which the request allowed explicitly."""

    status: PayoutStatus

    environment: Environment
    """The two separate environments."""

    tx_hash: Optional[str]
    """Its transaction; null until there is one."""

    explorer_url: Optional[str]
    """
    The transaction at a public explorer of its network. Null in the test environment, which has none, and while there
    is no transaction.
    """

    idempotency_key: Optional[str]

    description: Optional[str]

    metadata: Optional[Dict[str, Any]]

    waiting_reason: Optional[str]
    """Why it does not proceed at present, in words; null if nothing holds it up."""

    waiting_reasons: List[Reason]
    """The same reason, sentence by sentence, each with a code for messages in other languages. Empty without one."""

    failure_reason: Optional[str]
    """Why it failed."""

    failure_reasons: List[Reason]
    """The same reason, sentence by sentence, each with a code for messages in other languages. Empty without one."""

    approved_at: Optional[str]
    """When it had all the approvals it needs."""

    executable_at: Optional[str]
    """When it is sent at the earliest; null before approval."""

    completed_at: Optional[str]
    """When it was confirmed on the chain."""

    cancelled_at: Optional[str]
    """When it was cancelled or rejected."""

    created_at: str
    """ISO 8601 in UTC with milliseconds."""


class PayoutResult(Model):
    """Either `payout` or `error` is null."""

    __slots__ = ()

    outcome: Literal["created", "replayed", "refused"]
    """Whether it was created now, by an earlier request with the same idempotency key, or not at all."""

    payout: Optional[Payout]

    error: Optional[ErrorBody]
    """Why it was refused, as in the answer to a single payout."""


class ErrorBody(Model):
    __slots__ = ()

    code: ErrorCode

    message: str
    """In words: what is wrong and what to do."""

    details: List[str]
    """One string per problem, `"<json pointer>: <what is wrong>"`."""

    reasons: List[Reason]
    """
    Dashboard only: `message` sentence by sentence, each with a code for messages in other languages. Never returned
    to a key.
    """

    problems: List[FieldProblem]
    """
    Dashboard only: `details` in the same order, each with a code for messages in other languages. Never returned to a
    key.
    """


class Balance(Model):
    __slots__ = ()

    currency: str

    environment: Environment
    """The two separate environments."""

    available: str
    """Funds that can be spent. Negative when a deposit was reversed after it had been spent."""

    pending: str
    """Seen on the chain but not credited yet."""

    reserved: str
    """Held by open payouts and refunds."""

    total_received: str
    """A decimal without exponent, sign or trailing zeros."""

    total_fees: str
    """A decimal without exponent, sign or trailing zeros."""

    total_paid_out: str
    """A decimal without exponent, sign or trailing zeros."""

    total_in_base_currency: Optional[str]
    """Available plus reserved funds, in the merchant's base currency at the current rate. Null without a rate."""

    base_currency: Optional[str]
    """The currency of `total_in_base_currency`, here and in `networks`. Null when that is."""

    networks: List[NetworkBalance]
    """The same amounts by network."""


class NetworkBalance(Model):
    __slots__ = ()

    network: str
    """A network's name, in lower case."""

    available: str
    """A decimal without exponent or trailing zeros; with a minus sign below zero."""

    pending: str
    """A decimal without exponent, sign or trailing zeros."""

    reserved: str
    """A decimal without exponent, sign or trailing zeros."""

    total_received: str
    """A decimal without exponent, sign or trailing zeros."""

    total_fees: str
    """A decimal without exponent, sign or trailing zeros."""

    total_paid_out: str
    """A decimal without exponent, sign or trailing zeros."""

    total_in_base_currency: Optional[str]


class LedgerEntry(Model):
    __slots__ = ()

    id: int
    """Rises by one within this merchant, environment and currency."""

    currency: str

    network: str
    """A network's name, in lower case."""

    environment: Environment
    """The two separate environments."""

    entry_type: LedgerEntryType

    direction: Literal["credit", "debit"]
    """Whether `available` rose or fell."""

    amount: str
    """The amount of the change; always above zero."""

    amount_in_base_currency: Optional[str]
    """
    The value of `amount` in the merchant's base currency, at the rate that was recorded with the invoice, payout or
    refund that caused the entry. Null for an adjustment, and where no such rate was recorded.
    """

    base_currency: Optional[str]
    """The currency of `amount_in_base_currency`, which stays when the merchant changes theirs. Null when that is."""

    balance_after: str
    """The currency's `available` after this entry."""

    reference_type: Optional[Literal["invoice", "payout", "refund"]]
    """The kind of resource that caused the entry. Null for an adjustment."""

    reference_id: Optional[str]
    """The id of the resource that caused the entry. Null for an adjustment."""

    description: Optional[str]

    reasons: List[Reason]
    """
    Dashboard only: `description` sentence by sentence, each with a code for messages in other languages. Never
    returned to a key.
    """

    created_at: str
    """ISO 8601 in UTC with milliseconds."""


class Pagination(Model):
    __slots__ = ()

    total: int
    """The total number of matching rows."""

    limit: int

    offset: int

    has_more: bool


class SuspensePayment(Model):
    __slots__ = ()

    id: str

    environment: Environment
    """The two separate environments."""

    network: str
    """A network's name, in lower case."""

    currency: str

    amount: str
    """A decimal without exponent, sign or trailing zeros."""

    amount_in_base_currency: Optional[str]
    """
    The value of `amount` at the current rate, in your base currency; for an operator, in that of the merchant whose
    address was paid. Null without a rate, and if no merchant is known.
    """

    base_currency: Optional[str]
    """The currency of `amount_in_base_currency`. Null when that is."""

    address: str
    """The address that was paid."""

    address_tag: Optional[str]

    tx_hash: str

    explorer_url: Optional[str]
    """
    The transaction at a public explorer of its network. Null in the test environment, which has none, and while there
    is no transaction.
    """

    reason: SuspenseReason

    status: Literal["pending", "held", "released", "gone"]
    """
    `pending`: not confirmed yet. `held`: confirmed, but not credited to any merchant. `released`: the operator
    credited it to a merchant. `gone`: it is no longer on the chain.
    """

    confirmations: int

    required_confirmations: int

    invoice_id: Optional[str]
    """The invoice whose address was paid, if it is yours."""

    static_address_id: Optional[str]
    """The static address that was paid, if it is yours."""

    seen_at: str
    """ISO 8601 in UTC with milliseconds."""

    released_at: Optional[str]


class Currency(Model):
    __slots__ = ()

    code: str

    name: str

    kind: Literal["native", "token"]
    """A network's native currency, or a token issued on one or more networks."""

    environments: List[Environment]
    """The environments that offer the currency."""

    default_network: Optional[str]
    """The network used when a request names none. Null if a request must name one."""

    networks: List[CurrencyNetwork]


class CurrencyNetwork(Model):
    __slots__ = ()

    network: str

    name: str

    environment: Environment
    """The two separate environments."""

    gate_id: str
    """The gate that serves this network in this environment."""

    decimals: int
    """The number of decimals."""

    contract_address: Optional[str]
    """
    The token's contract or mint, or on the XRP Ledger the currency's code, a dot and its issuer; null for a network's
    native currency. Simulated networks have their own tokens, which exist nowhere else.
    """

    required_confirmations: int
    """
    How many confirmations a payment needs before it counts. Larger payments may need more: `required_confirmations`
    of an invoice is what its amount needs, and that of a payment what the payment itself needs.
    """

    min_amount: str
    """A decimal without exponent, sign or trailing zeros."""

    tag: Optional[TagRule]
    """The memo or tag that a payout on this network can have. Invoices say whether payers need one."""

    status: Literal["online", "offline"]
    """Whether invoices can be created there now."""


class TagRule(Model):
    __slots__ = ()

    name: str

    required: bool


class Rate(Model):
    __slots__ = ()

    currency: str

    fiat_currency: str
    """A fiat currency by ISO 4217."""

    rate: str
    """The price of one unit, in the fiat currency."""

    source: Any
    """The sources of this median, separated by commas; `fixed` for the sandbox's fixed rates."""

    updated_at: str
    """ISO 8601 in UTC with milliseconds."""

    stale: bool
    """Too old to price a new invoice with."""


class Event(Model):
    __slots__ = ()

    id: str
    """`evt_` and a UUID."""

    position: str
    """The event's position among all events. The number is too large for some languages, so keep it as text."""

    event: str
    """The name of the event, from `EventName`. New names may be added; ignore those you do not know."""

    environment: Environment
    """The two separate environments."""

    created_at: str
    """ISO 8601 in UTC with milliseconds."""

    data: Dict[str, Any]
    """The resource after the change, as the table of `EventName` shows."""


class RedeliveredEvents(Model):
    __slots__ = ()

    count: int
    """How many events are sent again."""

    continue_from: Optional[str]
    """
    Null if that is the whole range. Otherwise the range has more: repeat the request with this time as
    `created_after`.
    """


class Delivery(Model):
    """One event on its way to one endpoint. It may take several attempts."""

    __slots__ = ()

    id: str

    endpoint_id: str
    """The endpoint, which may have been deleted since."""

    url: str
    """The endpoint's URL."""

    status: DeliveryStatus

    attempts: int
    """How many attempts were made, including those of earlier redeliveries."""

    next_attempt_at: Optional[str]
    """When the next attempt is due; null unless the delivery is pending."""

    last_attempt_at: Optional[str]
    """When the last attempt was made; null before the first."""

    created_at: str
    """ISO 8601 in UTC with milliseconds."""

    attempt_log: List[DeliveryAttempt]
    """Every attempt, oldest first."""


class DeliveryAttempt(Model):
    __slots__ = ()

    number: int
    """Counts the delivery's attempts from 1."""

    at: str
    """ISO 8601 in UTC with milliseconds."""

    status_code: Optional[int]
    """The HTTP status of the answer; null when none arrived."""

    duration_ms: int
    """How long the attempt took, in milliseconds."""

    error: Optional[str]
    """Why the attempt failed, in words; null when it succeeded."""

    error_reasons: List[Reason]
    """The same reason, sentence by sentence, each with a code for messages in other languages. Empty without one."""

    answer: Optional[str]
    """
    The first bytes of the answer's body, as text. Null if there was none, and for private hosts that the operator
    allows, whose answers are never shown.
    """


class WebhookEndpoint(Model):
    __slots__ = ()

    id: str

    url: str
    """The URL that events are sent to."""

    events: Optional[List[EventName]]
    """The names of the events that are sent; null for all, including new ones."""

    description: Optional[str]

    status: Literal["enabled", "disabled"]
    """Nothing is sent to a disabled endpoint. One that answers 410 is disabled."""

    disabled_reason: Optional[str]
    """Why the endpoint is disabled, in words; null while it is enabled."""

    disabled_reasons: List[Reason]
    """The same reason, sentence by sentence, each with a code for messages in other languages. Empty without one."""

    disabled_at: Optional[str]
    """Since when the endpoint is disabled; null while it is enabled."""

    secret_rotates_until: Optional[str]
    """When the old secret stops signing; null if only one secret signs."""

    created_at: str
    """ISO 8601 in UTC with milliseconds."""


class ShopConnection(Model):
    """What a shop needs to work with this service. Both secrets are shown only in this answer."""

    __slots__ = ()

    id: str

    app: str
    """The plugin or program that the shop runs."""

    name: str
    """What the shop calls itself."""

    environment: Environment
    """The two separate environments."""

    merchant_id: str

    merchant_name: str
    """The merchant that the shop is connected to."""

    api_key: str
    """The key for the header `X-API-Key`."""

    permissions: List[ShopPermission]
    """What the key may do."""

    webhook_endpoint_id: str

    webhook_url: str
    """Where events are sent."""

    webhook_secret: str
    """Signs what is sent there, as Standard Webhooks specify."""

    events: List[EventName]
    """The names of the events that are sent."""

    created_at: str
    """ISO 8601 in UTC with milliseconds."""


class TestDeposit(Model):
    __slots__ = ()

    tx_hash: str


class TestChainTip(Model):
    __slots__ = ()

    network: str
    """A network's name, in lower case."""

    height: int

    hash: str


class TestGate(Model):
    __slots__ = ()

    network: str
    """A network's name, in lower case."""

    gate_id: str
    """The gate that serves a network in an environment."""

    status: GateStatus


class TestClock(Model):
    __slots__ = ()

    now: str
    """The time in your test environment."""

    ahead_seconds: int
    """How far it is ahead of the real time."""


class TestClockDue(Model):
    """How much the move made due."""

    __slots__ = ()

    invoices: int
    """Open invoices whose payment window, or time to pick an asset, ended."""

    payouts: int
    """Approved payouts whose cooling-off period ended."""

    webhook_deliveries: int
    """Deliveries of webhooks that waited to be retried."""


class CreditedBalance(Model):
    __slots__ = ()

    currency: str

    network: str
    """A network's name, in lower case."""

    amount: str
    """The amount credited, before the fee."""

    entry_type: Literal["deposit", "late_deposit", "adjustment"]
    """The type of the ledger entry. An `adjustment` was released from suspense."""

    ledger_entry_id: int
    """The `id` of the ledger entry, in this currency's ledger."""

    invoice_id: Optional[str]
    """The invoice that was paid. Null for an adjustment."""

    available: str
    """The available balance in the currency's ledger after it."""


class InvoiceWithIncluded(Invoice):
    __slots__ = ()

    id: str

    merchant_id: str

    environment: Environment
    """The two separate environments."""

    status: InvoiceStatus

    source: Literal["api", "static_address", "dashboard"]
    """Where the invoice was created."""

    static_address_id: Optional[str]
    """The static address whose deposit created the invoice, if any."""

    currency: Optional[str]
    """The currency to pay in. Null until the payer picks the asset."""

    network: Optional[str]
    """Null until the payer picks the asset."""

    amount: Optional[str]
    """The amount to be paid. Null until the payer picks the asset; then it never changes."""

    amount_fiat: Optional[str]
    """The price, if the invoice was created with one."""

    fiat_currency: Optional[str]
    """The currency of `amount_fiat`."""

    exchange_rate: Optional[str]
    """The price of one unit in `fiat_currency` when `amount` was fixed. Null without a fiat price."""

    rate_locked_at: Optional[str]
    """When `exchange_rate` was fixed."""

    amount_in_base_currency: Optional[str]
    """The value of `amount` in the merchant's base currency when it was fixed. Null if there was no rate."""

    base_currency: Optional[str]
    """The currency of `amount_in_base_currency`, which stays when the merchant changes theirs. Null when that is."""

    amount_paid: str
    """The confirmed amount."""

    amount_pending: str
    """The amount seen on the chain but not confirmed yet."""

    amount_due: Optional[str]
    """The amount still to be paid. `0` once paid; null until the payer picks the asset."""

    amount_overpaid: str
    """The amount confirmed beyond `amount`."""

    amount_refunded: str
    """The amount paid back to the payer."""

    fee_amount: str
    """The service's fee on the deposits."""

    deferred: bool
    """Whether the payer picks the asset."""

    deposit_address: Optional[str]
    """The address to pay to. Null until the payer picks the asset."""

    deposit_address_tag: Optional[str]
    """The memo or tag that must go with the address, on networks that have one."""

    payment_uri: Optional[str]
    """
    Opens a wallet, as a link or in a QR code. Null while there is no address and once nothing more is due. On Solana
    it is a transfer request of Solana Pay with the reference and the description.
    """

    payment_reference: Optional[str]
    """
    On Solana, the key that payments of this invoice name if they were made from `payment_uri` or the payment page:
    `getSignaturesForAddress` finds them by it. It is the SHA-256 of `sluice payment reference 1`, a line feed and the
    invoice's id, in base58. Null on other networks, until the payer picks the asset, and for a static address's
    invoice.
    """

    gate_id: Optional[str]
    """Null until the payer picks the asset."""

    required_confirmations: Optional[int]
    """
    How many confirmations a payment needs before it counts, by the invoice's amount; a larger payment may need more.
    Null until the payer picks the asset.
    """

    description: Optional[str]
    """What it is for. If a deposit to a static address created it, the label that the address had then."""

    external_id: Optional[str]
    """Your own id for the order."""

    metadata: Optional[Dict[str, Any]]

    redirect_url: Optional[str]
    """
    Where the payment page sends the payer afterwards; in the live environment only if it starts with `https://`.
    """

    checkout_url: Optional[str]
    """The payment page for the payer. Null for a static address's invoice."""

    idempotency_key: Optional[str]

    expires_at: Optional[str]
    """
    When the window ends: first the one for picking the asset, then the one for paying. Null for a static address's
    invoice.
    """

    live_at: Optional[str]
    """When address, amount and window were fixed. Null until the payer picks the asset."""

    paid_at: Optional[str]
    """When the amount was reached."""

    cancelled_at: Optional[str]

    created_at: str
    """ISO 8601 in UTC with milliseconds."""

    updated_at: str
    """ISO 8601 in UTC with milliseconds."""

    payments: List[Payment]
    """With `include=payments`, every transfer to the invoice's address, oldest first."""

    refunds: List[Refund]
    """With `include=refunds`, the invoice's refunds, newest first."""


class CursorPagination(Pagination):
    __slots__ = ()

    total: int
    """
    The total number of matching rows, the same on every page. It is exact without filters, and with `status` and
    `currency`; for payouts only with `status`, for refunds only without filters. With any other filter a request
    looks at 100,000 rows at most, in the list's order, and counts among those.
    """

    limit: int

    offset: int
    """0 with a `cursor`."""

    has_more: bool

    next_cursor: Optional[str]
    """
    What to send as `cursor` for the next page, with the same filters; null if `has_more` is false. A request that
    ends after 100,000 rows, as described at `total`, may return fewer rows than `limit`, or none, although others
    follow.
    """


class InvoiceWithPayments(Invoice):
    __slots__ = ()

    id: str

    merchant_id: str

    environment: Environment
    """The two separate environments."""

    status: InvoiceStatus

    source: Literal["api", "static_address", "dashboard"]
    """Where the invoice was created."""

    static_address_id: Optional[str]
    """The static address whose deposit created the invoice, if any."""

    currency: Optional[str]
    """The currency to pay in. Null until the payer picks the asset."""

    network: Optional[str]
    """Null until the payer picks the asset."""

    amount: Optional[str]
    """The amount to be paid. Null until the payer picks the asset; then it never changes."""

    amount_fiat: Optional[str]
    """The price, if the invoice was created with one."""

    fiat_currency: Optional[str]
    """The currency of `amount_fiat`."""

    exchange_rate: Optional[str]
    """The price of one unit in `fiat_currency` when `amount` was fixed. Null without a fiat price."""

    rate_locked_at: Optional[str]
    """When `exchange_rate` was fixed."""

    amount_in_base_currency: Optional[str]
    """The value of `amount` in the merchant's base currency when it was fixed. Null if there was no rate."""

    base_currency: Optional[str]
    """The currency of `amount_in_base_currency`, which stays when the merchant changes theirs. Null when that is."""

    amount_paid: str
    """The confirmed amount."""

    amount_pending: str
    """The amount seen on the chain but not confirmed yet."""

    amount_due: Optional[str]
    """The amount still to be paid. `0` once paid; null until the payer picks the asset."""

    amount_overpaid: str
    """The amount confirmed beyond `amount`."""

    amount_refunded: str
    """The amount paid back to the payer."""

    fee_amount: str
    """The service's fee on the deposits."""

    deferred: bool
    """Whether the payer picks the asset."""

    deposit_address: Optional[str]
    """The address to pay to. Null until the payer picks the asset."""

    deposit_address_tag: Optional[str]
    """The memo or tag that must go with the address, on networks that have one."""

    payment_uri: Optional[str]
    """
    Opens a wallet, as a link or in a QR code. Null while there is no address and once nothing more is due. On Solana
    it is a transfer request of Solana Pay with the reference and the description.
    """

    payment_reference: Optional[str]
    """
    On Solana, the key that payments of this invoice name if they were made from `payment_uri` or the payment page:
    `getSignaturesForAddress` finds them by it. It is the SHA-256 of `sluice payment reference 1`, a line feed and the
    invoice's id, in base58. Null on other networks, until the payer picks the asset, and for a static address's
    invoice.
    """

    gate_id: Optional[str]
    """Null until the payer picks the asset."""

    required_confirmations: Optional[int]
    """
    How many confirmations a payment needs before it counts, by the invoice's amount; a larger payment may need more.
    Null until the payer picks the asset.
    """

    description: Optional[str]
    """What it is for. If a deposit to a static address created it, the label that the address had then."""

    external_id: Optional[str]
    """Your own id for the order."""

    metadata: Optional[Dict[str, Any]]

    redirect_url: Optional[str]
    """
    Where the payment page sends the payer afterwards; in the live environment only if it starts with `https://`.
    """

    checkout_url: Optional[str]
    """The payment page for the payer. Null for a static address's invoice."""

    idempotency_key: Optional[str]

    expires_at: Optional[str]
    """
    When the window ends: first the one for picking the asset, then the one for paying. Null for a static address's
    invoice.
    """

    live_at: Optional[str]
    """When address, amount and window were fixed. Null until the payer picks the asset."""

    paid_at: Optional[str]
    """When the amount was reached."""

    cancelled_at: Optional[str]

    created_at: str
    """ISO 8601 in UTC with milliseconds."""

    updated_at: str
    """ISO 8601 in UTC with milliseconds."""

    payments: List[Payment]
    """Every transfer to the invoice's address, oldest first."""

    refunds: List[Refund]
    """With `include=refunds`, the invoice's refunds, newest first."""


class FieldProblem(Reason):
    __slots__ = ()

    pointer: str
    """The JSON pointer of the field."""

    code: str
    """What is wrong. Codes are added over time; `other` stands for words without one."""

    message: str
    """What is wrong, in English. Show it if you do not know the code."""

    values: Dict[str, Any]
    """The values in the message."""


class EventWithDeliveries(Event):
    __slots__ = ()

    id: str
    """`evt_` and a UUID."""

    position: str
    """The event's position among all events. The number is too large for some languages, so keep it as text."""

    event: str
    """The name of the event, from `EventName`. New names may be added; ignore those you do not know."""

    environment: Environment
    """The two separate environments."""

    created_at: str
    """ISO 8601 in UTC with milliseconds."""

    data: Dict[str, Any]
    """The resource after the change, as the table of `EventName` shows."""

    deliveries: List[Delivery]
    """One for each endpoint that the event was or will be sent to, oldest first."""


class NewlyMadeWebhookEndpoint(WebhookEndpoint):
    """An endpoint with its new secret."""

    __slots__ = ()

    id: str

    url: str
    """The URL that events are sent to."""

    events: Optional[List[EventName]]
    """The names of the events that are sent; null for all, including new ones."""

    description: Optional[str]

    status: Literal["enabled", "disabled"]
    """Nothing is sent to a disabled endpoint. One that answers 410 is disabled."""

    disabled_reason: Optional[str]
    """Why the endpoint is disabled, in words; null while it is enabled."""

    disabled_reasons: List[Reason]
    """The same reason, sentence by sentence, each with a code for messages in other languages. Empty without one."""

    disabled_at: Optional[str]
    """Since when the endpoint is disabled; null while it is enabled."""

    secret_rotates_until: Optional[str]
    """When the old secret stops signing; null if only one secret signs."""

    created_at: str
    """ISO 8601 in UTC with milliseconds."""

    secret: str
    """
    Signs what is sent to this endpoint, as Standard Webhooks specify: `whsec_` and 32 bytes in base64. Shown in this
    answer and never again.
    """


class TestClockMove(TestClock):
    __slots__ = ()

    now: str
    """The time in your test environment right after the move."""

    ahead_seconds: int
    """How far it was ahead of the real time then."""

    advanced_seconds: int
    """By how much this move advanced it."""

    due: TestClockDue
    """How much the move made due."""


Refund._nested = {"waiting_reasons": Reason, "failure_reasons": Reason}
Payout._nested = {"waiting_reasons": Reason, "failure_reasons": Reason}
PayoutResult._nested = {"payout": Payout, "error": ErrorBody}
ErrorBody._nested = {"reasons": Reason, "problems": FieldProblem}
Balance._nested = {"networks": NetworkBalance}
LedgerEntry._nested = {"reasons": Reason}
Currency._nested = {"networks": CurrencyNetwork}
CurrencyNetwork._nested = {"tag": TagRule}
Delivery._nested = {"attempt_log": DeliveryAttempt}
DeliveryAttempt._nested = {"error_reasons": Reason}
WebhookEndpoint._nested = {"disabled_reasons": Reason}
InvoiceWithIncluded._nested = {"payments": Payment, "refunds": Refund}
InvoiceWithPayments._nested = {"payments": Payment, "refunds": Refund}
EventWithDeliveries._nested = {"deliveries": Delivery}
NewlyMadeWebhookEndpoint._nested = {"disabled_reasons": Reason}
TestClockMove._nested = {"due": TestClockDue}

__all__ = [
    "Balance",
    "CreditedBalance",
    "Currency",
    "CurrencyNetwork",
    "CursorPagination",
    "Delivery",
    "DeliveryAttempt",
    "DeliveryStatus",
    "Environment",
    "ErrorBody",
    "ErrorCode",
    "Event",
    "EventName",
    "EventWithDeliveries",
    "FieldProblem",
    "GateStatus",
    "Invoice",
    "InvoiceStatus",
    "InvoiceWithIncluded",
    "InvoiceWithPayments",
    "LedgerEntry",
    "LedgerEntryType",
    "NetworkBalance",
    "NewlyMadeWebhookEndpoint",
    "Order",
    "Pagination",
    "Payment",
    "Payout",
    "PayoutResult",
    "PayoutStatus",
    "Rate",
    "Reason",
    "RedeliveredEvents",
    "Refund",
    "RefundStatus",
    "ShopConnection",
    "ShopPermission",
    "StaticAddress",
    "SuspensePayment",
    "SuspenseReason",
    "TagRule",
    "TestChainTip",
    "TestClock",
    "TestClockDue",
    "TestClockMove",
    "TestDeposit",
    "TestGate",
    "WebhookEndpoint",
]
