<?php

use App\Http\Controllers\OrderController;
use App\Http\Controllers\SluiceWebhookController;
use Illuminate\Support\Facades\Route;

Route::get('/', fn () => '<h1>Mug, $49.90</h1><form method="post" action="/orders"><button>Buy</button></form>');
Route::post('/orders', [OrderController::class, 'store']);
Route::get('/orders/{order}', [OrderController::class, 'show'])->name('orders.show');
// In an app with the group "web", list this path in VerifyCsrfToken::$except: the signature takes the token's place.
Route::post('/webhooks/sluice', SluiceWebhookController::class);
