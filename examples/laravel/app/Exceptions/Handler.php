<?php

namespace App\Exceptions;

use Illuminate\Foundation\Exceptions\Handler as ExceptionHandler;
use Sluice\Exception\SluiceException;

class Handler extends ExceptionHandler
{
    public function register(): void
    {
        // Sluice was not reachable or refused.
        $this->renderable(fn (SluiceException $error) => response('That did not work. Please try again in a minute.', 503)
            ->header('Content-Type', 'text/plain'));
    }
}
