# This file is generated from the contract.
from __future__ import annotations

from typing import Any, Dict, Iterator, Mapping, Optional, Sequence, Union

from ..model import Page, Rows
from ..resource import MetadataIn, Resource, Route
from .models import (
    Balance,
    Currency,
    Environment,
    Event,
    EventName,
    EventWithDeliveries,
    GateStatus,
    Invoice,
    InvoiceWithIncluded,
    InvoiceWithPayments,
    LedgerEntry,
    NewlyMadeWebhookEndpoint,
    Order,
    Payout,
    PayoutResult,
    Rate,
    RedeliveredEvents,
    Refund,
    ShopConnection,
    StaticAddress,
    SuspensePayment,
    SuspenseReason,
    TestChainTip,
    TestClock,
    TestClockMove,
    TestDeposit,
    TestGate,
    WebhookEndpoint,
)

ROUTES: Dict[str, Route] = {
    "createInvoice": Route("POST", "/v1/invoices", True, "body"),
    "listInvoices": Route("GET", "/v1/invoices", True, None),
    "getInvoice": Route("GET", "/v1/invoices/{invoiceID}", True, None),
    "cancelInvoice": Route("POST", "/v1/invoices/{invoiceID}/cancel", True, None),
    "createAddress": Route("POST", "/v1/addresses", True, None),
    "listAddresses": Route("GET", "/v1/addresses", True, None),
    "getAddress": Route("GET", "/v1/addresses/{addressID}", True, None),
    "listAddressInvoices": Route("GET", "/v1/addresses/{addressID}/invoices", True, None),
    "createPayout": Route("POST", "/v1/payouts", True, "body"),
    "listPayouts": Route("GET", "/v1/payouts", True, None),
    "createPayouts": Route("POST", "/v1/payouts/batch", True, "each"),
    "getPayout": Route("GET", "/v1/payouts/{payoutID}", True, None),
    "cancelPayout": Route("POST", "/v1/payouts/{payoutID}/cancel", True, None),
    "createRefund": Route("POST", "/v1/refunds", True, "header"),
    "listRefunds": Route("GET", "/v1/refunds", True, None),
    "getRefund": Route("GET", "/v1/refunds/{refundID}", True, None),
    "listBalances": Route("GET", "/v1/balances", True, None),
    "listLedgerEntries": Route("GET", "/v1/balances/{currency}/ledger", True, None),
    "listSuspense": Route("GET", "/v1/suspense", True, None),
    "listCurrencies": Route("GET", "/v1/currencies", False, None),
    "listRates": Route("GET", "/v1/rates", False, None),
    "listEvents": Route("GET", "/v1/events", True, None),
    "redeliverEvents": Route("POST", "/v1/events/redeliver", True, None),
    "getEvent": Route("GET", "/v1/events/{eventID}", True, None),
    "redeliverEvent": Route("POST", "/v1/events/{eventID}/redeliver", True, None),
    "createWebhookEndpoint": Route("POST", "/v1/webhook_endpoints", True, None),
    "listWebhookEndpoints": Route("GET", "/v1/webhook_endpoints", True, None),
    "getWebhookEndpoint": Route("GET", "/v1/webhook_endpoints/{endpointID}", True, None),
    "deleteWebhookEndpoint": Route("DELETE", "/v1/webhook_endpoints/{endpointID}", True, None),
    "rotateWebhookSecret": Route("POST", "/v1/webhook_endpoints/{endpointID}/rotate_secret", True, None),
    "enableWebhookEndpoint": Route("POST", "/v1/webhook_endpoints/{endpointID}/enable", True, None),
    "testWebhookEndpoint": Route("POST", "/v1/webhook_endpoints/{endpointID}/test", True, None),
    "createShopConnection": Route("POST", "/v1/shop_connections", False, None),
    "createTestDeposit": Route("POST", "/v1/test/deposits", True, None),
    "mineTestBlocks": Route("POST", "/v1/test/blocks", True, None),
    "reorganiseTestChain": Route("POST", "/v1/test/reorgs", True, None),
    "setTestGate": Route("POST", "/v1/test/gates", True, None),
    "getTestClock": Route("GET", "/v1/test/clock", True, None),
    "advanceTestClock": Route("POST", "/v1/test/clock", True, "body"),
    "activateTestInvoice": Route("POST", "/v1/test/invoices/{invoiceID}/activate", True, None),
    "expireTestInvoice": Route("POST", "/v1/test/invoices/{invoiceID}/expire", True, None),
    "approveTestPayout": Route("POST", "/v1/test/payouts/{payoutID}/approve", True, None),
    "rejectTestPayout": Route("POST", "/v1/test/payouts/{payoutID}/reject", True, None),
    "failTestPayout": Route("POST", "/v1/test/payouts/{payoutID}/fail", True, None),
}
"""Every operation of the contract by its id."""


class Invoices(Resource):
    def create(
        self,
        *,
        currency: Optional[str] = None,
        network: Optional[str] = None,
        amount: Optional[str] = None,
        amount_fiat: Optional[str] = None,
        fiat_currency: Optional[str] = None,
        deferred: Optional[bool] = None,
        description: Optional[str] = None,
        external_id: Optional[str] = None,
        metadata: Optional[MetadataIn] = None,
        redirect_url: Optional[str] = None,
        expires_in: Optional[int] = None,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Invoice:
        """
        Create an invoice.

        currency: The currency to be paid in, in upper or lower case; never a fiat code. Required with `amount`.
        network: Required if the currency has several networks and no default.
        amount: The amount to be paid, in `currency`. Not together with `amount_fiat`.
        amount_fiat: The price, in `fiat_currency`. Not together with `amount`.
        fiat_currency: A fiat code that has a rate, in upper or lower case.
        deferred: True lets the payer pick the asset; only with a fiat price and without `currency`.
        description: Free text.
        external_id: Your own id for the order.
        metadata: Your own key-value pairs. At most 50; keys of 1 to 64 characters, strings of at most 1000. A number
        that a double cannot hold exactly, such as an integer beyond 2^53, is refused: send it as a string.
        redirect_url: Where the payment page sends the payer afterwards. In the live environment it must start with
        `https://`.
        expires_in: How long the payer has to pay, in seconds; default 1800. For a deferred invoice the time starts
        when the asset is picked.
        idempotency_key: Prevents duplicates. Valid forever, within the merchant and the environment.
        """
        return self._one(
            Invoice,
            ROUTES["createInvoice"],
            body={
                "currency": currency,
                "network": network,
                "amount": amount,
                "amount_fiat": amount_fiat,
                "fiat_currency": fiat_currency,
                "deferred": deferred,
                "description": description,
                "external_id": external_id,
                "metadata": metadata,
                "redirect_url": redirect_url,
                "expires_in": expires_in,
                "idempotency_key": idempotency_key,
            },
            timeout=timeout,
            max_retries=max_retries,
        )

    def list(
        self,
        *,
        status: Optional[str] = None,
        currency: Optional[str] = None,
        external_id: Optional[str] = None,
        fiat_currency: Optional[str] = None,
        amount_min: Optional[str] = None,
        amount_max: Optional[str] = None,
        created_after: Optional[str] = None,
        created_before: Optional[str] = None,
        metadata_key: Optional[str] = None,
        metadata_value: Optional[str] = None,
        search: Optional[str] = None,
        include: Optional[str] = None,
        order: Optional[Order] = None,
        limit: Optional[int] = None,
        offset: Optional[int] = None,
        cursor: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Page[InvoiceWithIncluded]:
        """
        List invoices.

        status: Only invoices with this status. An unknown status matches nothing.
        currency: Only invoices in this currency, in upper or lower case. An unknown code matches nothing.
        external_id: Only invoices with exactly this `external_id`.
        fiat_currency: Only invoices with a price in this fiat currency, in upper or lower case. An unknown code
        matches nothing.
        amount_min: Only invoices with at least this `amount`, in `currency`; without `currency`, at least this
        `amount_fiat`, in `fiat_currency`. One of the two is required with it.
        amount_max: Only invoices with at most this amount, as with `amount_min`.
        created_after: Only rows created at this time or later.
        created_before: Only rows created before this time.
        metadata_key: Only rows whose `metadata` has this key.
        metadata_value: Only rows whose `metadata` has this value under `metadata_key`, which is required with it.
        Numbers, booleans and null are compared as text: `true` finds `true` and `"true"`.
        search: Only rows that contain this text in `description`, `external_id` or a value of `metadata`. Letters
        from A to Z match in upper and lower case.
        include: What to add to each invoice, separated by commas: `payments`, `refunds`. `refunds` requires the
        permission `refunds:read`.
        order: Whether the newest or the oldest rows come first. A request that looks at 100,000 rows only looks at
        the first ones in this order. With `oldest_first` an `offset` beyond 100,000 is refused: page by `cursor`.
        limit: How many rows a page contains.
        offset: How many rows to skip. To page, raise it by `limit` until `has_more` is false. Where a filter makes a
        request look at 100,000 rows only, an offset beyond those is refused: page by `cursor`.
        cursor: Only rows after the one with this id: send `next_cursor` of the page before. Unlike `offset`, it
        neither repeats nor skips a row when others are created meanwhile, and a page deep in the list costs no more
        than the first. An unknown id is refused, and so is an `offset` above 0 beside it.
        """
        return self._page(
            InvoiceWithIncluded,
            ROUTES["listInvoices"],
            query={
                "status": status,
                "currency": currency,
                "external_id": external_id,
                "fiat_currency": fiat_currency,
                "amount_min": amount_min,
                "amount_max": amount_max,
                "created_after": created_after,
                "created_before": created_before,
                "metadata_key": metadata_key,
                "metadata_value": metadata_value,
                "search": search,
                "include": include,
                "order": order,
                "limit": limit,
                "offset": offset,
                "cursor": cursor,
            },
            timeout=timeout,
            max_retries=max_retries,
        )

    def all(
        self,
        *,
        status: Optional[str] = None,
        currency: Optional[str] = None,
        external_id: Optional[str] = None,
        fiat_currency: Optional[str] = None,
        amount_min: Optional[str] = None,
        amount_max: Optional[str] = None,
        created_after: Optional[str] = None,
        created_before: Optional[str] = None,
        metadata_key: Optional[str] = None,
        metadata_value: Optional[str] = None,
        search: Optional[str] = None,
        include: Optional[str] = None,
        order: Optional[Order] = None,
        limit: Optional[int] = None,
        offset: Optional[int] = None,
        cursor: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Iterator[InvoiceWithIncluded]:
        """
        Every row of `list`, page after page; `limit` is the size of a page.

        status: Only invoices with this status. An unknown status matches nothing.
        currency: Only invoices in this currency, in upper or lower case. An unknown code matches nothing.
        external_id: Only invoices with exactly this `external_id`.
        fiat_currency: Only invoices with a price in this fiat currency, in upper or lower case. An unknown code
        matches nothing.
        amount_min: Only invoices with at least this `amount`, in `currency`; without `currency`, at least this
        `amount_fiat`, in `fiat_currency`. One of the two is required with it.
        amount_max: Only invoices with at most this amount, as with `amount_min`.
        created_after: Only rows created at this time or later.
        created_before: Only rows created before this time.
        metadata_key: Only rows whose `metadata` has this key.
        metadata_value: Only rows whose `metadata` has this value under `metadata_key`, which is required with it.
        Numbers, booleans and null are compared as text: `true` finds `true` and `"true"`.
        search: Only rows that contain this text in `description`, `external_id` or a value of `metadata`. Letters
        from A to Z match in upper and lower case.
        include: What to add to each invoice, separated by commas: `payments`, `refunds`. `refunds` requires the
        permission `refunds:read`.
        order: Whether the newest or the oldest rows come first. A request that looks at 100,000 rows only looks at
        the first ones in this order. With `oldest_first` an `offset` beyond 100,000 is refused: page by `cursor`.
        limit: How many rows a page contains.
        offset: How many rows to skip. To page, raise it by `limit` until `has_more` is false. Where a filter makes a
        request look at 100,000 rows only, an offset beyond those is refused: page by `cursor`.
        cursor: Only rows after the one with this id: send `next_cursor` of the page before. Unlike `offset`, it
        neither repeats nor skips a row when others are created meanwhile, and a page deep in the list costs no more
        than the first. An unknown id is refused, and so is an `offset` above 0 beside it.
        """
        return self._every(
            InvoiceWithIncluded,
            ROUTES["listInvoices"],
            query={
                "status": status,
                "currency": currency,
                "external_id": external_id,
                "fiat_currency": fiat_currency,
                "amount_min": amount_min,
                "amount_max": amount_max,
                "created_after": created_after,
                "created_before": created_before,
                "metadata_key": metadata_key,
                "metadata_value": metadata_value,
                "search": search,
                "include": include,
                "order": order,
                "limit": limit,
                "offset": offset,
                "cursor": cursor,
            },
            timeout=timeout,
            max_retries=max_retries,
        )

    def get(
        self,
        invoice_id: str,
        *,
        include: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> InvoiceWithPayments:
        """
        Get an invoice.

        include: What to add to the invoice, separated by commas: `refunds`. `refunds` requires the permission
        `refunds:read`.
        """
        return self._one(
            InvoiceWithPayments,
            ROUTES["getInvoice"],
            subject=invoice_id,
            query={
                "include": include,
            },
            timeout=timeout,
            max_retries=max_retries,
        )

    def cancel(
        self,
        invoice_id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Invoice:
        """Cancel an invoice."""
        return self._one(
            Invoice,
            ROUTES["cancelInvoice"],
            subject=invoice_id,
            timeout=timeout,
            max_retries=max_retries,
        )


class Addresses(Resource):
    def create(
        self,
        *,
        currency: str,
        network: Optional[str] = None,
        label: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> StaticAddress:
        """
        Create a static address.

        currency: A cryptocurrency's code, in upper or lower case; never a fiat code.
        network: Required if the currency has several networks and no default.
        label: Your own name for the address.
        """
        return self._one(
            StaticAddress,
            ROUTES["createAddress"],
            body={
                "currency": currency,
                "network": network,
                "label": label,
            },
            timeout=timeout,
            max_retries=max_retries,
        )

    def list(
        self,
        *,
        currency: Optional[str] = None,
        created_after: Optional[str] = None,
        created_before: Optional[str] = None,
        search: Optional[str] = None,
        order: Optional[Order] = None,
        limit: Optional[int] = None,
        offset: Optional[int] = None,
        cursor: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Page[StaticAddress]:
        """
        List static addresses.

        currency: Only addresses of this currency, in upper or lower case. An unknown code matches nothing.
        created_after: Only rows created at this time or later.
        created_before: Only rows created before this time.
        search: Only addresses that contain this text in `label` or `address`. Letters from A to Z match in upper and
        lower case.
        order: Whether the newest or the oldest rows come first. A request that looks at 100,000 rows only looks at
        the first ones in this order. With `oldest_first` an `offset` beyond 100,000 is refused: page by `cursor`.
        limit: How many rows a page contains.
        offset: How many rows to skip. To page, raise it by `limit` until `has_more` is false. Where a filter makes a
        request look at 100,000 rows only, an offset beyond those is refused: page by `cursor`.
        cursor: Only rows after the one with this id: send `next_cursor` of the page before. Unlike `offset`, it
        neither repeats nor skips a row when others are created meanwhile, and a page deep in the list costs no more
        than the first. An unknown id is refused, and so is an `offset` above 0 beside it.
        """
        return self._page(
            StaticAddress,
            ROUTES["listAddresses"],
            query={
                "currency": currency,
                "created_after": created_after,
                "created_before": created_before,
                "search": search,
                "order": order,
                "limit": limit,
                "offset": offset,
                "cursor": cursor,
            },
            timeout=timeout,
            max_retries=max_retries,
        )

    def all(
        self,
        *,
        currency: Optional[str] = None,
        created_after: Optional[str] = None,
        created_before: Optional[str] = None,
        search: Optional[str] = None,
        order: Optional[Order] = None,
        limit: Optional[int] = None,
        offset: Optional[int] = None,
        cursor: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Iterator[StaticAddress]:
        """
        Every row of `list`, page after page; `limit` is the size of a page.

        currency: Only addresses of this currency, in upper or lower case. An unknown code matches nothing.
        created_after: Only rows created at this time or later.
        created_before: Only rows created before this time.
        search: Only addresses that contain this text in `label` or `address`. Letters from A to Z match in upper and
        lower case.
        order: Whether the newest or the oldest rows come first. A request that looks at 100,000 rows only looks at
        the first ones in this order. With `oldest_first` an `offset` beyond 100,000 is refused: page by `cursor`.
        limit: How many rows a page contains.
        offset: How many rows to skip. To page, raise it by `limit` until `has_more` is false. Where a filter makes a
        request look at 100,000 rows only, an offset beyond those is refused: page by `cursor`.
        cursor: Only rows after the one with this id: send `next_cursor` of the page before. Unlike `offset`, it
        neither repeats nor skips a row when others are created meanwhile, and a page deep in the list costs no more
        than the first. An unknown id is refused, and so is an `offset` above 0 beside it.
        """
        return self._every(
            StaticAddress,
            ROUTES["listAddresses"],
            query={
                "currency": currency,
                "created_after": created_after,
                "created_before": created_before,
                "search": search,
                "order": order,
                "limit": limit,
                "offset": offset,
                "cursor": cursor,
            },
            timeout=timeout,
            max_retries=max_retries,
        )

    def get(
        self,
        address_id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> StaticAddress:
        """Get a static address."""
        return self._one(
            StaticAddress,
            ROUTES["getAddress"],
            subject=address_id,
            timeout=timeout,
            max_retries=max_retries,
        )

    def list_invoices(
        self,
        address_id: str,
        *,
        created_after: Optional[str] = None,
        created_before: Optional[str] = None,
        order: Optional[Order] = None,
        limit: Optional[int] = None,
        offset: Optional[int] = None,
        cursor: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Page[Invoice]:
        """
        List the invoices of a static address.

        created_after: Only rows created at this time or later.
        created_before: Only rows created before this time.
        order: Whether the newest or the oldest rows come first. A request that looks at 100,000 rows only looks at
        the first ones in this order. With `oldest_first` an `offset` beyond 100,000 is refused: page by `cursor`.
        limit: How many rows a page contains.
        offset: How many rows to skip. To page, raise it by `limit` until `has_more` is false. Where a filter makes a
        request look at 100,000 rows only, an offset beyond those is refused: page by `cursor`.
        cursor: Only rows after the one with this id: send `next_cursor` of the page before. Unlike `offset`, it
        neither repeats nor skips a row when others are created meanwhile, and a page deep in the list costs no more
        than the first. An unknown id is refused, and so is an `offset` above 0 beside it.
        """
        return self._page(
            Invoice,
            ROUTES["listAddressInvoices"],
            subject=address_id,
            query={
                "created_after": created_after,
                "created_before": created_before,
                "order": order,
                "limit": limit,
                "offset": offset,
                "cursor": cursor,
            },
            timeout=timeout,
            max_retries=max_retries,
        )

    def invoices(
        self,
        address_id: str,
        *,
        created_after: Optional[str] = None,
        created_before: Optional[str] = None,
        order: Optional[Order] = None,
        limit: Optional[int] = None,
        offset: Optional[int] = None,
        cursor: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Iterator[Invoice]:
        """
        Every row of `list_invoices`, page after page; `limit` is the size of a page.

        created_after: Only rows created at this time or later.
        created_before: Only rows created before this time.
        order: Whether the newest or the oldest rows come first. A request that looks at 100,000 rows only looks at
        the first ones in this order. With `oldest_first` an `offset` beyond 100,000 is refused: page by `cursor`.
        limit: How many rows a page contains.
        offset: How many rows to skip. To page, raise it by `limit` until `has_more` is false. Where a filter makes a
        request look at 100,000 rows only, an offset beyond those is refused: page by `cursor`.
        cursor: Only rows after the one with this id: send `next_cursor` of the page before. Unlike `offset`, it
        neither repeats nor skips a row when others are created meanwhile, and a page deep in the list costs no more
        than the first. An unknown id is refused, and so is an `offset` above 0 beside it.
        """
        return self._every(
            Invoice,
            ROUTES["listAddressInvoices"],
            subject=address_id,
            query={
                "created_after": created_after,
                "created_before": created_before,
                "order": order,
                "limit": limit,
                "offset": offset,
                "cursor": cursor,
            },
            timeout=timeout,
            max_retries=max_retries,
        )


class Payouts(Resource):
    def create(
        self,
        *,
        currency: str,
        network: Optional[str] = None,
        amount: str,
        destination: str,
        destination_tag: Optional[str] = None,
        allow_program_address: Optional[bool] = None,
        description: Optional[str] = None,
        metadata: Optional[MetadataIn] = None,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Payout:
        """
        Create a payout.

        currency: The currency to pay in, in upper or lower case.
        network: Required if the currency has several networks and no default.
        amount: The exact amount that the recipient gets.
        destination: An address of exactly this network.
        destination_tag: The memo or tag, on networks that have one. On Solana at most 512 bytes in UTF-8, without
        control characters.
        allow_program_address: Only for Solana: allows an address that a program controls, such as the vault of a
        multisig wallet. It has no private key, and cannot be told from an address that no one can ever spend from.
        Without this it is refused with `invalid_destination`. Programs, token mints and the service's own accounts
        are always refused.
        description: Free text.
        metadata: Your own key-value pairs. At most 50; keys of 1 to 64 characters, strings of at most 1000. A number
        that a double cannot hold exactly, such as an integer beyond 2^53, is refused: send it as a string.
        idempotency_key: Prevents duplicates. Valid forever, within the merchant and the environment.
        """
        return self._one(
            Payout,
            ROUTES["createPayout"],
            body={
                "currency": currency,
                "network": network,
                "amount": amount,
                "destination": destination,
                "destination_tag": destination_tag,
                "allow_program_address": allow_program_address,
                "description": description,
                "metadata": metadata,
                "idempotency_key": idempotency_key,
            },
            timeout=timeout,
            max_retries=max_retries,
        )

    def list(
        self,
        *,
        status: Optional[str] = None,
        currency: Optional[str] = None,
        amount_min: Optional[str] = None,
        amount_max: Optional[str] = None,
        created_after: Optional[str] = None,
        created_before: Optional[str] = None,
        metadata_key: Optional[str] = None,
        metadata_value: Optional[str] = None,
        search: Optional[str] = None,
        order: Optional[Order] = None,
        limit: Optional[int] = None,
        offset: Optional[int] = None,
        cursor: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Page[Payout]:
        """
        List payouts.

        status: Only payouts with this status. An unknown status matches nothing.
        currency: Only payouts in this currency, in upper or lower case. An unknown code matches nothing.
        amount_min: Only rows with at least this `amount`, in `currency`, which is required with it.
        amount_max: Only rows with at most this `amount`, in `currency`, which is required with it.
        created_after: Only rows created at this time or later.
        created_before: Only rows created before this time.
        metadata_key: Only rows whose `metadata` has this key.
        metadata_value: Only rows whose `metadata` has this value under `metadata_key`, which is required with it.
        Numbers, booleans and null are compared as text: `true` finds `true` and `"true"`.
        search: Only rows that contain this text in `description`, `destination` or a value of `metadata`. Letters
        from A to Z match in upper and lower case.
        order: Whether the newest or the oldest rows come first. A request that looks at 100,000 rows only looks at
        the first ones in this order. With `oldest_first` an `offset` beyond 100,000 is refused: page by `cursor`.
        limit: How many rows a page contains.
        offset: How many rows to skip. To page, raise it by `limit` until `has_more` is false. Where a filter makes a
        request look at 100,000 rows only, an offset beyond those is refused: page by `cursor`.
        cursor: Only rows after the one with this id: send `next_cursor` of the page before. Unlike `offset`, it
        neither repeats nor skips a row when others are created meanwhile, and a page deep in the list costs no more
        than the first. An unknown id is refused, and so is an `offset` above 0 beside it.
        """
        return self._page(
            Payout,
            ROUTES["listPayouts"],
            query={
                "status": status,
                "currency": currency,
                "amount_min": amount_min,
                "amount_max": amount_max,
                "created_after": created_after,
                "created_before": created_before,
                "metadata_key": metadata_key,
                "metadata_value": metadata_value,
                "search": search,
                "order": order,
                "limit": limit,
                "offset": offset,
                "cursor": cursor,
            },
            timeout=timeout,
            max_retries=max_retries,
        )

    def all(
        self,
        *,
        status: Optional[str] = None,
        currency: Optional[str] = None,
        amount_min: Optional[str] = None,
        amount_max: Optional[str] = None,
        created_after: Optional[str] = None,
        created_before: Optional[str] = None,
        metadata_key: Optional[str] = None,
        metadata_value: Optional[str] = None,
        search: Optional[str] = None,
        order: Optional[Order] = None,
        limit: Optional[int] = None,
        offset: Optional[int] = None,
        cursor: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Iterator[Payout]:
        """
        Every row of `list`, page after page; `limit` is the size of a page.

        status: Only payouts with this status. An unknown status matches nothing.
        currency: Only payouts in this currency, in upper or lower case. An unknown code matches nothing.
        amount_min: Only rows with at least this `amount`, in `currency`, which is required with it.
        amount_max: Only rows with at most this `amount`, in `currency`, which is required with it.
        created_after: Only rows created at this time or later.
        created_before: Only rows created before this time.
        metadata_key: Only rows whose `metadata` has this key.
        metadata_value: Only rows whose `metadata` has this value under `metadata_key`, which is required with it.
        Numbers, booleans and null are compared as text: `true` finds `true` and `"true"`.
        search: Only rows that contain this text in `description`, `destination` or a value of `metadata`. Letters
        from A to Z match in upper and lower case.
        order: Whether the newest or the oldest rows come first. A request that looks at 100,000 rows only looks at
        the first ones in this order. With `oldest_first` an `offset` beyond 100,000 is refused: page by `cursor`.
        limit: How many rows a page contains.
        offset: How many rows to skip. To page, raise it by `limit` until `has_more` is false. Where a filter makes a
        request look at 100,000 rows only, an offset beyond those is refused: page by `cursor`.
        cursor: Only rows after the one with this id: send `next_cursor` of the page before. Unlike `offset`, it
        neither repeats nor skips a row when others are created meanwhile, and a page deep in the list costs no more
        than the first. An unknown id is refused, and so is an `offset` above 0 beside it.
        """
        return self._every(
            Payout,
            ROUTES["listPayouts"],
            query={
                "status": status,
                "currency": currency,
                "amount_min": amount_min,
                "amount_max": amount_max,
                "created_after": created_after,
                "created_before": created_before,
                "metadata_key": metadata_key,
                "metadata_value": metadata_value,
                "search": search,
                "order": order,
                "limit": limit,
                "offset": offset,
                "cursor": cursor,
            },
            timeout=timeout,
            max_retries=max_retries,
        )

    def create_many(
        self,
        *,
        payouts: Sequence[Mapping[str, Any]],
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Rows[PayoutResult]:
        """Create several payouts."""
        return self._rows(
            PayoutResult,
            ROUTES["createPayouts"],
            body={
                "payouts": payouts,
            },
            timeout=timeout,
            max_retries=max_retries,
        )

    def get(
        self,
        payout_id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Payout:
        """Get a payout."""
        return self._one(
            Payout,
            ROUTES["getPayout"],
            subject=payout_id,
            timeout=timeout,
            max_retries=max_retries,
        )

    def cancel(
        self,
        payout_id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Payout:
        """Cancel a payout."""
        return self._one(
            Payout,
            ROUTES["cancelPayout"],
            subject=payout_id,
            timeout=timeout,
            max_retries=max_retries,
        )


class Refunds(Resource):
    def create(
        self,
        *,
        invoice_id: str,
        currency: str,
        network: Optional[str] = None,
        amount: str,
        destination: str,
        destination_tag: Optional[str] = None,
        allow_program_address: Optional[bool] = None,
        description: Optional[str] = None,
        metadata: Optional[MetadataIn] = None,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Refund:
        """
        Create a refund.

        invoice_id: The invoice to refund.
        currency: The currency that was credited, in upper or lower case.
        network: Required if the currency has several networks and no default.
        amount: The exact amount that the recipient gets.
        destination: An address of exactly this network.
        destination_tag: The memo or tag, on networks that have one. On Solana at most 512 bytes in UTF-8, without
        control characters.
        allow_program_address: Only for Solana: allows an address that a program controls, such as the vault of a
        multisig wallet. It has no private key, and cannot be told from an address that no one can ever spend from.
        Without this it is refused with `invalid_destination`. Programs, token mints and the service's own accounts
        are always refused.
        description: Free text.
        metadata: Your own key-value pairs. At most 50; keys of 1 to 64 characters, strings of at most 1000. A number
        that a double cannot hold exactly, such as an integer beyond 2^53, is refused: send it as a string.
        """
        return self._one(
            Refund,
            ROUTES["createRefund"],
            body={
                "invoice_id": invoice_id,
                "currency": currency,
                "network": network,
                "amount": amount,
                "destination": destination,
                "destination_tag": destination_tag,
                "allow_program_address": allow_program_address,
                "description": description,
                "metadata": metadata,
            },
            idempotency_key=idempotency_key,
            timeout=timeout,
            max_retries=max_retries,
        )

    def list(
        self,
        *,
        invoice_id: Optional[str] = None,
        currency: Optional[str] = None,
        amount_min: Optional[str] = None,
        amount_max: Optional[str] = None,
        created_after: Optional[str] = None,
        created_before: Optional[str] = None,
        metadata_key: Optional[str] = None,
        metadata_value: Optional[str] = None,
        search: Optional[str] = None,
        order: Optional[Order] = None,
        limit: Optional[int] = None,
        offset: Optional[int] = None,
        cursor: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Page[Refund]:
        """
        List refunds.

        invoice_id: Only refunds of this invoice. An unknown id matches nothing.
        currency: Only refunds in this currency, in upper or lower case. An unknown code matches nothing.
        amount_min: Only rows with at least this `amount`, in `currency`, which is required with it.
        amount_max: Only rows with at most this `amount`, in `currency`, which is required with it.
        created_after: Only rows created at this time or later.
        created_before: Only rows created before this time.
        metadata_key: Only rows whose `metadata` has this key.
        metadata_value: Only rows whose `metadata` has this value under `metadata_key`, which is required with it.
        Numbers, booleans and null are compared as text: `true` finds `true` and `"true"`.
        search: Only rows that contain this text in `description`, `destination` or a value of `metadata`. Letters
        from A to Z match in upper and lower case.
        order: Whether the newest or the oldest rows come first. A request that looks at 100,000 rows only looks at
        the first ones in this order. With `oldest_first` an `offset` beyond 100,000 is refused: page by `cursor`.
        limit: How many rows a page contains.
        offset: How many rows to skip. To page, raise it by `limit` until `has_more` is false. Where a filter makes a
        request look at 100,000 rows only, an offset beyond those is refused: page by `cursor`.
        cursor: Only rows after the one with this id: send `next_cursor` of the page before. Unlike `offset`, it
        neither repeats nor skips a row when others are created meanwhile, and a page deep in the list costs no more
        than the first. An unknown id is refused, and so is an `offset` above 0 beside it.
        """
        return self._page(
            Refund,
            ROUTES["listRefunds"],
            query={
                "invoice_id": invoice_id,
                "currency": currency,
                "amount_min": amount_min,
                "amount_max": amount_max,
                "created_after": created_after,
                "created_before": created_before,
                "metadata_key": metadata_key,
                "metadata_value": metadata_value,
                "search": search,
                "order": order,
                "limit": limit,
                "offset": offset,
                "cursor": cursor,
            },
            timeout=timeout,
            max_retries=max_retries,
        )

    def all(
        self,
        *,
        invoice_id: Optional[str] = None,
        currency: Optional[str] = None,
        amount_min: Optional[str] = None,
        amount_max: Optional[str] = None,
        created_after: Optional[str] = None,
        created_before: Optional[str] = None,
        metadata_key: Optional[str] = None,
        metadata_value: Optional[str] = None,
        search: Optional[str] = None,
        order: Optional[Order] = None,
        limit: Optional[int] = None,
        offset: Optional[int] = None,
        cursor: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Iterator[Refund]:
        """
        Every row of `list`, page after page; `limit` is the size of a page.

        invoice_id: Only refunds of this invoice. An unknown id matches nothing.
        currency: Only refunds in this currency, in upper or lower case. An unknown code matches nothing.
        amount_min: Only rows with at least this `amount`, in `currency`, which is required with it.
        amount_max: Only rows with at most this `amount`, in `currency`, which is required with it.
        created_after: Only rows created at this time or later.
        created_before: Only rows created before this time.
        metadata_key: Only rows whose `metadata` has this key.
        metadata_value: Only rows whose `metadata` has this value under `metadata_key`, which is required with it.
        Numbers, booleans and null are compared as text: `true` finds `true` and `"true"`.
        search: Only rows that contain this text in `description`, `destination` or a value of `metadata`. Letters
        from A to Z match in upper and lower case.
        order: Whether the newest or the oldest rows come first. A request that looks at 100,000 rows only looks at
        the first ones in this order. With `oldest_first` an `offset` beyond 100,000 is refused: page by `cursor`.
        limit: How many rows a page contains.
        offset: How many rows to skip. To page, raise it by `limit` until `has_more` is false. Where a filter makes a
        request look at 100,000 rows only, an offset beyond those is refused: page by `cursor`.
        cursor: Only rows after the one with this id: send `next_cursor` of the page before. Unlike `offset`, it
        neither repeats nor skips a row when others are created meanwhile, and a page deep in the list costs no more
        than the first. An unknown id is refused, and so is an `offset` above 0 beside it.
        """
        return self._every(
            Refund,
            ROUTES["listRefunds"],
            query={
                "invoice_id": invoice_id,
                "currency": currency,
                "amount_min": amount_min,
                "amount_max": amount_max,
                "created_after": created_after,
                "created_before": created_before,
                "metadata_key": metadata_key,
                "metadata_value": metadata_value,
                "search": search,
                "order": order,
                "limit": limit,
                "offset": offset,
                "cursor": cursor,
            },
            timeout=timeout,
            max_retries=max_retries,
        )

    def get(
        self,
        refund_id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Refund:
        """Get a refund."""
        return self._one(
            Refund,
            ROUTES["getRefund"],
            subject=refund_id,
            timeout=timeout,
            max_retries=max_retries,
        )


class Balances(Resource):
    def list(
        self,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Rows[Balance]:
        """List balances."""
        return self._rows(
            Balance,
            ROUTES["listBalances"],
            timeout=timeout,
            max_retries=max_retries,
        )

    def list_ledger(
        self,
        currency: str,
        *,
        entry_type: Optional[str] = None,
        limit: Optional[int] = None,
        offset: Optional[int] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Page[LedgerEntry]:
        """
        List ledger entries.

        entry_type: Only entries of this type. An unknown type matches nothing.
        limit: How many rows a page contains.
        offset: How many rows to skip. To page, raise it by `limit` until `has_more` is false. Where a filter makes a
        request look at 100,000 rows only, an offset beyond those is refused: page by `cursor`.
        """
        return self._page(
            LedgerEntry,
            ROUTES["listLedgerEntries"],
            subject=currency,
            query={
                "entry_type": entry_type,
                "limit": limit,
                "offset": offset,
            },
            timeout=timeout,
            max_retries=max_retries,
        )

    def ledger(
        self,
        currency: str,
        *,
        entry_type: Optional[str] = None,
        limit: Optional[int] = None,
        offset: Optional[int] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Iterator[LedgerEntry]:
        """
        Every row of `list_ledger`, page after page; `limit` is the size of a page.

        entry_type: Only entries of this type. An unknown type matches nothing.
        limit: How many rows a page contains.
        offset: How many rows to skip. To page, raise it by `limit` until `has_more` is false. Where a filter makes a
        request look at 100,000 rows only, an offset beyond those is refused: page by `cursor`.
        """
        return self._every(
            LedgerEntry,
            ROUTES["listLedgerEntries"],
            subject=currency,
            query={
                "entry_type": entry_type,
                "limit": limit,
                "offset": offset,
            },
            timeout=timeout,
            max_retries=max_retries,
        )


class Suspense(Resource):
    def list(
        self,
        *,
        reason: Optional[SuspenseReason] = None,
        invoice_id: Optional[str] = None,
        tx_hash: Optional[str] = None,
        limit: Optional[int] = None,
        offset: Optional[int] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Page[SuspensePayment]:
        """
        List payments in suspense.

        reason: Only payments that are in suspense for this reason.
        invoice_id: Only payments to this invoice's address.
        tx_hash: Only payments of this transaction.
        limit: How many rows a page contains.
        offset: How many rows to skip. To page, raise it by `limit` until `has_more` is false. Where a filter makes a
        request look at 100,000 rows only, an offset beyond those is refused: page by `cursor`.
        """
        return self._page(
            SuspensePayment,
            ROUTES["listSuspense"],
            query={
                "reason": reason,
                "invoice_id": invoice_id,
                "tx_hash": tx_hash,
                "limit": limit,
                "offset": offset,
            },
            timeout=timeout,
            max_retries=max_retries,
        )

    def all(
        self,
        *,
        reason: Optional[SuspenseReason] = None,
        invoice_id: Optional[str] = None,
        tx_hash: Optional[str] = None,
        limit: Optional[int] = None,
        offset: Optional[int] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Iterator[SuspensePayment]:
        """
        Every row of `list`, page after page; `limit` is the size of a page.

        reason: Only payments that are in suspense for this reason.
        invoice_id: Only payments to this invoice's address.
        tx_hash: Only payments of this transaction.
        limit: How many rows a page contains.
        offset: How many rows to skip. To page, raise it by `limit` until `has_more` is false. Where a filter makes a
        request look at 100,000 rows only, an offset beyond those is refused: page by `cursor`.
        """
        return self._every(
            SuspensePayment,
            ROUTES["listSuspense"],
            query={
                "reason": reason,
                "invoice_id": invoice_id,
                "tx_hash": tx_hash,
                "limit": limit,
                "offset": offset,
            },
            timeout=timeout,
            max_retries=max_retries,
        )


class Currencies(Resource):
    def list(
        self,
        *,
        environment: Optional[Environment] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Rows[Currency]:
        """
        List supported currencies.

        environment: Only currencies that this environment offers.
        """
        return self._rows(
            Currency,
            ROUTES["listCurrencies"],
            query={
                "environment": environment,
            },
            timeout=timeout,
            max_retries=max_retries,
        )


class Rates(Resource):
    def list(
        self,
        *,
        currency: Optional[Union[str, Sequence[str]]] = None,
        fiat_currency: Optional[Union[str, Sequence[str]]] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Rows[Rate]:
        """
        List exchange rates.

        currency: Only these currencies, separated by commas. An unknown code matches nothing.
        fiat_currency: Only these fiat currencies, separated by commas. An unknown code matches nothing.
        """
        return self._rows(
            Rate,
            ROUTES["listRates"],
            query={
                "currency": currency,
                "fiat_currency": fiat_currency,
            },
            timeout=timeout,
            max_retries=max_retries,
        )


class Events(Resource):
    def list(
        self,
        *,
        event: Optional[str] = None,
        created_after: Optional[str] = None,
        created_before: Optional[str] = None,
        resource_id: Optional[str] = None,
        after: Optional[str] = None,
        limit: Optional[int] = None,
        offset: Optional[int] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Page[Event]:
        """
        List events.

        event: Only events of this name. An unknown name matches nothing.
        created_after: Only events created at this time or later.
        created_before: Only events created before this time.
        resource_id: Only events about the invoice, payout or refund with this id. `balance.credited` belongs to its
        invoice, or to the payment released from suspense.
        after: Only events after this position, in ascending order. `0` is before the first.
        limit: How many rows a page contains.
        offset: How many rows to skip. To page, raise it by `limit` until `has_more` is false. Where a filter makes a
        request look at 100,000 rows only, an offset beyond those is refused: page by `cursor`.
        """
        return self._page(
            Event,
            ROUTES["listEvents"],
            query={
                "event": event,
                "created_after": created_after,
                "created_before": created_before,
                "resource_id": resource_id,
                "after": after,
                "limit": limit,
                "offset": offset,
            },
            timeout=timeout,
            max_retries=max_retries,
        )

    def all(
        self,
        *,
        event: Optional[str] = None,
        created_after: Optional[str] = None,
        created_before: Optional[str] = None,
        resource_id: Optional[str] = None,
        after: Optional[str] = None,
        limit: Optional[int] = None,
        offset: Optional[int] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Iterator[Event]:
        """
        Every row of `list`, page after page; `limit` is the size of a page. With `after` it goes upwards from that
        position and misses none, even while new rows arrive.

        event: Only events of this name. An unknown name matches nothing.
        created_after: Only events created at this time or later.
        created_before: Only events created before this time.
        resource_id: Only events about the invoice, payout or refund with this id. `balance.credited` belongs to its
        invoice, or to the payment released from suspense.
        after: Only events after this position, in ascending order. `0` is before the first.
        limit: How many rows a page contains.
        offset: How many rows to skip. To page, raise it by `limit` until `has_more` is false. Where a filter makes a
        request look at 100,000 rows only, an offset beyond those is refused: page by `cursor`.
        """
        return self._every_or_after(
            Event,
            ROUTES["listEvents"],
            query={
                "event": event,
                "created_after": created_after,
                "created_before": created_before,
                "resource_id": resource_id,
                "after": after,
                "limit": limit,
                "offset": offset,
            },
            timeout=timeout,
            max_retries=max_retries,
        )

    def redeliver_range(
        self,
        *,
        endpoint_id: str,
        created_after: str,
        created_before: str,
        only_failed: Optional[bool] = None,
        events: Optional[Sequence[EventName]] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> RedeliveredEvents:
        """
        Redeliver a time range.

        endpoint_id: The endpoint to send to.
        created_after: Only events created at this time or later.
        created_before: Only events created before this time.
        only_failed: True leaves out events that were delivered, are still being sent, or were never for this
        endpoint.
        events: Only events with these names; if left out, all that the endpoint's own `events` select.
        """
        return self._one(
            RedeliveredEvents,
            ROUTES["redeliverEvents"],
            body={
                "endpoint_id": endpoint_id,
                "created_after": created_after,
                "created_before": created_before,
                "only_failed": only_failed,
                "events": events,
            },
            timeout=timeout,
            max_retries=max_retries,
        )

    def get(
        self,
        event_id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> EventWithDeliveries:
        """Get an event."""
        return self._one(
            EventWithDeliveries,
            ROUTES["getEvent"],
            subject=event_id,
            timeout=timeout,
            max_retries=max_retries,
        )

    def redeliver(
        self,
        event_id: str,
        *,
        endpoint_id: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> EventWithDeliveries:
        """
        Redeliver an event.

        endpoint_id: The endpoint to send to; if left out, every enabled one that has a delivery of the event.
        """
        return self._one(
            EventWithDeliveries,
            ROUTES["redeliverEvent"],
            subject=event_id,
            body={
                "endpoint_id": endpoint_id,
            },
            timeout=timeout,
            max_retries=max_retries,
        )


class WebhookEndpoints(Resource):
    def create(
        self,
        *,
        url: str,
        events: Optional[Sequence[EventName]] = None,
        description: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> NewlyMadeWebhookEndpoint:
        """
        Create a webhook endpoint.

        url: The URL to send events to, without user and password. Redirects are not followed.
        events: The names of the events to send; if left out, all of them, including new ones.
        description: Free text.
        """
        return self._one(
            NewlyMadeWebhookEndpoint,
            ROUTES["createWebhookEndpoint"],
            body={
                "url": url,
                "events": events,
                "description": description,
            },
            timeout=timeout,
            max_retries=max_retries,
        )

    def list(
        self,
        *,
        limit: Optional[int] = None,
        offset: Optional[int] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Page[WebhookEndpoint]:
        """
        List webhook endpoints.

        limit: How many rows a page contains.
        offset: How many rows to skip. To page, raise it by `limit` until `has_more` is false. Where a filter makes a
        request look at 100,000 rows only, an offset beyond those is refused: page by `cursor`.
        """
        return self._page(
            WebhookEndpoint,
            ROUTES["listWebhookEndpoints"],
            query={
                "limit": limit,
                "offset": offset,
            },
            timeout=timeout,
            max_retries=max_retries,
        )

    def all(
        self,
        *,
        limit: Optional[int] = None,
        offset: Optional[int] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Iterator[WebhookEndpoint]:
        """
        Every row of `list`, page after page; `limit` is the size of a page.

        limit: How many rows a page contains.
        offset: How many rows to skip. To page, raise it by `limit` until `has_more` is false. Where a filter makes a
        request look at 100,000 rows only, an offset beyond those is refused: page by `cursor`.
        """
        return self._every(
            WebhookEndpoint,
            ROUTES["listWebhookEndpoints"],
            query={
                "limit": limit,
                "offset": offset,
            },
            timeout=timeout,
            max_retries=max_retries,
        )

    def get(
        self,
        endpoint_id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> WebhookEndpoint:
        """Get a webhook endpoint."""
        return self._one(
            WebhookEndpoint,
            ROUTES["getWebhookEndpoint"],
            subject=endpoint_id,
            timeout=timeout,
            max_retries=max_retries,
        )

    def delete(
        self,
        endpoint_id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> WebhookEndpoint:
        """Delete a webhook endpoint."""
        return self._one(
            WebhookEndpoint,
            ROUTES["deleteWebhookEndpoint"],
            subject=endpoint_id,
            timeout=timeout,
            max_retries=max_retries,
        )

    def rotate_secret(
        self,
        endpoint_id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> NewlyMadeWebhookEndpoint:
        """Rotate an endpoint's secret."""
        return self._one(
            NewlyMadeWebhookEndpoint,
            ROUTES["rotateWebhookSecret"],
            subject=endpoint_id,
            timeout=timeout,
            max_retries=max_retries,
        )

    def enable(
        self,
        endpoint_id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> WebhookEndpoint:
        """Enable a webhook endpoint."""
        return self._one(
            WebhookEndpoint,
            ROUTES["enableWebhookEndpoint"],
            subject=endpoint_id,
            timeout=timeout,
            max_retries=max_retries,
        )

    def test(
        self,
        endpoint_id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Event:
        """Test a webhook endpoint."""
        return self._one(
            Event,
            ROUTES["testWebhookEndpoint"],
            subject=endpoint_id,
            timeout=timeout,
            max_retries=max_retries,
        )


class ShopConnections(Resource):
    def create(
        self,
        *,
        code: str,
        verifier: str,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> ShopConnection:
        """
        Exchange a code for a connection.

        code: The code from the return URL. It works once, for 5 minutes.
        verifier: The shop's secret, whose SHA-256 was the `challenge` of the pairing.
        """
        return self._one(
            ShopConnection,
            ROUTES["createShopConnection"],
            body={
                "code": code,
                "verifier": verifier,
            },
            timeout=timeout,
            max_retries=max_retries,
        )


class Test(Resource):
    def create_deposit(
        self,
        *,
        address: str,
        address_tag: Optional[str] = None,
        amount: str,
        currency: str,
        network: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> TestDeposit:
        """
        Make a test deposit.

        address: One of your own deposit addresses.
        address_tag: The memo or tag, on networks that have one.
        amount: A decimal greater than 0, without sign or exponent, with no more decimals than its currency has.
        currency: A cryptocurrency's code, in upper or lower case; never a fiat code.
        network: Required if the currency has several networks and no default.
        """
        return self._one(
            TestDeposit,
            ROUTES["createTestDeposit"],
            body={
                "address": address,
                "address_tag": address_tag,
                "amount": amount,
                "currency": currency,
                "network": network,
            },
            timeout=timeout,
            max_retries=max_retries,
        )

    def mine_blocks(
        self,
        *,
        network: str,
        count: int,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> TestChainTip:
        """
        Mine test blocks.

        network: A network's name, in upper or lower case.
        count: How many blocks to mine.
        """
        return self._one(
            TestChainTip,
            ROUTES["mineTestBlocks"],
            body={
                "network": network,
                "count": count,
            },
            timeout=timeout,
            max_retries=max_retries,
        )

    def reorganise_chain(
        self,
        *,
        network: str,
        depth: int,
        drop: Optional[Sequence[str]] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> TestChainTip:
        """
        Reorganise a test chain.

        network: A network's name, in upper or lower case.
        depth: How many blocks to replace.
        drop: Transactions that never return, by hash. Each must pay you.
        """
        return self._one(
            TestChainTip,
            ROUTES["reorganiseTestChain"],
            body={
                "network": network,
                "depth": depth,
                "drop": drop,
            },
            timeout=timeout,
            max_retries=max_retries,
        )

    def set_gate(
        self,
        *,
        network: str,
        status: GateStatus,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> TestGate:
        """
        Take a test network offline or online.

        network: A network's name, in upper or lower case.
        """
        return self._one(
            TestGate,
            ROUTES["setTestGate"],
            body={
                "network": network,
                "status": status,
            },
            timeout=timeout,
            max_retries=max_retries,
        )

    def get_clock(
        self,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> TestClock:
        """Read the test clock."""
        return self._one(
            TestClock,
            ROUTES["getTestClock"],
            timeout=timeout,
            max_retries=max_retries,
        )

    def advance_clock(
        self,
        *,
        advance_seconds: Optional[int] = None,
        advance_to: Optional[str] = None,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> TestClockMove:
        """
        Advance the test clock.

        advance_seconds: By how much; at most 366 days. In all, a clock can be 3,660 days ahead of the real time.
        advance_to: To this time, rounded up to a whole second from the clock's own; at most 366 days ahead of it.
        idempotency_key: Prevents moving the clock twice. Valid forever, within the merchant.
        """
        return self._one(
            TestClockMove,
            ROUTES["advanceTestClock"],
            body={
                "advance_seconds": advance_seconds,
                "advance_to": advance_to,
                "idempotency_key": idempotency_key,
            },
            timeout=timeout,
            max_retries=max_retries,
        )

    def activate_invoice(
        self,
        invoice_id: str,
        *,
        currency: str,
        network: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Invoice:
        """
        Pick a deferred invoice's asset.

        currency: A cryptocurrency's code, in upper or lower case; never a fiat code.
        network: Required if the currency has several networks and no default.
        """
        return self._one(
            Invoice,
            ROUTES["activateTestInvoice"],
            subject=invoice_id,
            body={
                "currency": currency,
                "network": network,
            },
            timeout=timeout,
            max_retries=max_retries,
        )

    def expire_invoice(
        self,
        invoice_id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Invoice:
        """End an invoice's payment window."""
        return self._one(
            Invoice,
            ROUTES["expireTestInvoice"],
            subject=invoice_id,
            timeout=timeout,
            max_retries=max_retries,
        )

    def approve_payout(
        self,
        payout_id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Payout:
        """Approve a payout."""
        return self._one(
            Payout,
            ROUTES["approveTestPayout"],
            subject=payout_id,
            timeout=timeout,
            max_retries=max_retries,
        )

    def reject_payout(
        self,
        payout_id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Payout:
        """Reject a payout."""
        return self._one(
            Payout,
            ROUTES["rejectTestPayout"],
            subject=payout_id,
            timeout=timeout,
            max_retries=max_retries,
        )

    def fail_payout(
        self,
        payout_id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Payout:
        """Make a payout fail."""
        return self._one(
            Payout,
            ROUTES["failTestPayout"],
            subject=payout_id,
            timeout=timeout,
            max_retries=max_retries,
        )


class Resources:
    """The API by resource."""

    invoices: Invoices
    addresses: Addresses
    payouts: Payouts
    refunds: Refunds
    balances: Balances
    suspense: Suspense
    currencies: Currencies
    rates: Rates
    events: Events
    webhook_endpoints: WebhookEndpoints
    shop_connections: ShopConnections
    test: Test

    def _attach(self, base: Resource) -> None:
        self.invoices = Invoices(base)
        self.addresses = Addresses(base)
        self.payouts = Payouts(base)
        self.refunds = Refunds(base)
        self.balances = Balances(base)
        self.suspense = Suspense(base)
        self.currencies = Currencies(base)
        self.rates = Rates(base)
        self.events = Events(base)
        self.webhook_endpoints = WebhookEndpoints(base)
        self.shop_connections = ShopConnections(base)
        self.test = Test(base)
