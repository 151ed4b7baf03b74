<?php

namespace App\Providers;

use Illuminate\Support\ServiceProvider;
use Sluice\Client;

class AppServiceProvider extends ServiceProvider
{
    public function register(): void
    {
        $this->app->singleton(Client::class, fn () => new Client(config('services.sluice.url'), config('services.sluice.key')));
    }
}
