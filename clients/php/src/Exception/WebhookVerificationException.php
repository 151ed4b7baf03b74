<?php

declare(strict_types=1);

namespace Sluice\Exception;

/** This webhook was not signed by the secret, or not lately. Answer it with 400. */
final class WebhookVerificationException extends SluiceException
{
}
