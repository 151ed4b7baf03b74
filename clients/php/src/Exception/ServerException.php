<?php

declare(strict_types=1);

namespace Sluice\Exception;

/** The service or something that it depends on fails at present. */
final class ServerException extends ApiException
{
}
