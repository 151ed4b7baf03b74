<?php

declare(strict_types=1);

namespace Sluice\Exception;

/** The request cannot be carried out as it is; the message names each field and what is wrong with it. */
final class ValidationException extends ApiException
{
}
