<?php

declare(strict_types=1);

namespace Sluice\Exception;

/** The key is missing, wrong or revoked. */
final class AuthenticationException extends ApiException
{
}
