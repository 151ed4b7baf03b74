<?php

// This file is generated from the contract.
declare(strict_types=1);

namespace Sluice\Resource;

use Sluice\Transport;

/**
 * The API by resource.
 */
abstract class Resources
{
    public readonly Invoices $invoices;
    public readonly Addresses $addresses;
    public readonly Payouts $payouts;
    public readonly Refunds $refunds;
    public readonly Balances $balances;
    public readonly Suspense $suspense;
    public readonly Currencies $currencies;
    public readonly Rates $rates;
    public readonly Events $events;
    public readonly WebhookEndpoints $webhookEndpoints;
    public readonly ShopConnections $shopConnections;
    public readonly Test $test;

    protected function attach(Transport $transport): void
    {
        $this->invoices = new Invoices($transport);
        $this->addresses = new Addresses($transport);
        $this->payouts = new Payouts($transport);
        $this->refunds = new Refunds($transport);
        $this->balances = new Balances($transport);
        $this->suspense = new Suspense($transport);
        $this->currencies = new Currencies($transport);
        $this->rates = new Rates($transport);
        $this->events = new Events($transport);
        $this->webhookEndpoints = new WebhookEndpoints($transport);
        $this->shopConnections = new ShopConnections($transport);
        $this->test = new Test($transport);
    }
}
