<?php

namespace App\Http\Controllers;

use App\Models\Order;
use Illuminate\Http\RedirectResponse;
use Illuminate\Support\Str;
use Sluice\Client;

class OrderController
{
    public function store(Client $sluice): RedirectResponse
    {
        $order = Order::create(['id' => (string) Str::uuid()]);
        $invoice = $sluice->invoices->create([
            'amount_fiat' => '49.90',
            'fiat_currency' => 'USD',
            'external_id' => $order->id,
            // Sent twice, it is still one invoice.
            'idempotency_key' => $order->id,
            'redirect_url' => route('orders.show', $order),
        ]);
        $order->update(['invoice_id' => $invoice->id]);

        return redirect()->away($invoice->checkout_url, 303);
    }

    public function show(Order $order): string
    {
        return '<h1>Your order is ' . e($order->status) . '</h1>';
    }
}
