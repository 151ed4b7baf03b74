<?php

namespace App\Http\Controllers;

use App\Models\Order;
use Illuminate\Http\Request;
use Illuminate\Http\Response;
use Illuminate\Support\Facades\DB;
use Illuminate\Support\Facades\Log;
use Sluice\Event\InvoicePaid;
use Sluice\Exception\WebhookVerificationException;
use Sluice\Webhooks;

class SluiceWebhookController
{
    public function __invoke(Request $request): Response
    {
        try {
            // The signature covers the bytes as they were sent.
            $event = Webhooks::verify($request->getContent(), $request->server->all(), config('services.sluice.webhook_secret'));
        } catch (WebhookVerificationException $error) {
            return response($error->getMessage(), 400)->header('Content-Type', 'text/plain');
        }
        if ($event instanceof InvoicePaid) {
            $order = DB::transaction(fn () => $this->payOnce($event));
            // A process can end right here: what ships takes its work from the orders that are paid.
            if ($order !== null) {
                Log::info("ship {$order->id}");
            }
        }

        return response()->noContent();
    }

    /** Marks the order as paid, once however often the event arrives. Returns the order that is to be shipped now. */
    private function payOnce(InvoicePaid $event): ?Order
    {
        if (DB::table('handled_events')->insertOrIgnore(['id' => $event->id]) === 0) {
            return null;
        }
        $order = Order::where('invoice_id', $event->data->id)->where('status', 'open')->lockForUpdate()->first();
        $order?->update(['status' => 'paid']);

        return $order;
    }
}
