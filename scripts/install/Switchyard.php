<?php

/**
 * Client of the Switchyard REST API. One file, PHP 8.1 or later with its extension curl; no package.
 *
 *     require 'Switchyard.php';
 *
 *     $switchyard = new Switchyard\Client('https://pay.example', getenv('SWITCHYARD_API_KEY'));
 *     $payment = $switchyard->initiatePayment([
 *         'merchantOrderId' => 'ORD-1001', 'amount' => 2500, 'currency' => 'NGN', 'customer' => ['email' => 'ada@example.com'],
 *     ]);
 *
 * For servers only: the key is secret. Amounts of payments are whole main units: 2500 is 2,500 naira.
 */

declare(strict_types=1);

namespace Switchyard;

/** Anything that this client throws. */
class SwitchyardException extends \RuntimeException
{
}

/** Switchyard refused. Tell the kinds apart by `code`. */
final class ApiException extends SwitchyardException
{
    /** @var ?string The code of the error, for a program: `duplicate_order`, …; null where the answer is not Switchyard's own. New ones may be added. */
    public $code;
    /** @var list<array{field: string, code: string}> A field and a code for each of `errors`, in their order. */
    public readonly array $details;
    /** INITIATED while the first request with the order id is still opening a checkout: ask again after `retryAfterSeconds`. */
    public readonly ?string $paymentStatus;
    /** @var list<string> Every rule that the request breaks, the field first: `amount must be at least 1`. */
    public readonly array $errors;
    /** The payment that has the order id already. */
    public readonly ?string $paymentId;
    /** Amount left to refund, in whole main units. */
    public readonly ?int $refundableAmount;

    /**
     * @param ?string $requestId Id by which support finds the request; null where the answer is not Switchyard's own.
     * @param ?float $retryAfterSeconds When to try again; null where the answer does not say.
     */
    public function __construct(
        public readonly int $statusCode,
        string $message,
        ?array $data,
        public readonly ?string $requestId,
        public readonly ?float $retryAfterSeconds,
        ?string $code = null,
    ) {
        parent::__construct("$message ($statusCode)");
        $this->code = $code;
        $this->errors = $data['errors'] ?? [];
        $this->details = $data['details'] ?? [];
        $this->paymentStatus = $data['status'] ?? null;
        $this->paymentId = $data['paymentId'] ?? null;
        $this->refundableAmount = $data['refundableAmount'] ?? null;
    }
}

/** An id is no UUID, such as one that a customer changed in the address. Nothing was sent; answer it as a payment that does not exist. */
final class IdException extends SwitchyardException
{
}

/** No answer came, and the request may have been carried out: verify, or call again with the same idempotency key. */
final class NoAnswerException extends SwitchyardException
{
}

/**
 * A webhook is not from Switchyard, was changed, or is older than five minutes; or the secret is not set, or too short to be one. Answer it 400.
 */
final class SignatureException extends SwitchyardException
{
}

/**
 * A client of one merchant in one mode: those of its key.
 *
 * A request whose answer is lost or passing (429, 500, 502, 503, 504) is sent again after a growing random wait, `retriesMax` times at
 * most. It never pays or refunds twice: such calls send an `Idempotency-Key`, new for each call and the same for its retries.
 *
// types
 */
final class Client
{
    public const VERSION = '0.0.0';
    private const BACK_OFF_SECONDS = 0.25;
    private const BACK_OFF_MAX_SECONDS = 8.0;
    /** An answer that asks for a longer wait is thrown instead. */
    private const RETRY_AFTER_MAX_SECONDS = 60.0;
    private const PASSING_STATUSES = [429, 500, 502, 503, 504];

    private readonly string $baseUrl;

    public function __construct(
        string $baseUrl,
        #[\SensitiveParameter] private readonly string $apiKey,
        private readonly int $timeoutSeconds = 30,
        private readonly int $retriesMax = 3,
    ) {
        if (preg_match('~^https?://.~', $baseUrl) !== 1) {
            throw new SwitchyardException("baseUrl must be a web address: $baseUrl");
        }
        $this->baseUrl = rtrim($baseUrl, '/');
    }

    // operations

    /** Shown by `var_dump`, without the key. */
    public function __debugInfo(): array
    {
        return ['baseUrl' => $this->baseUrl];
    }

    private function send(
        string $method,
        string $path,
        array $query = [],
        ?array $body = null,
        ?string $idempotencyKey = null,
        bool $mayRepeat = true,
    ): array {
        $headers = ['Accept: application/json', "Authorization: Bearer {$this->apiKey}", 'User-Agent: switchyard-php/' . self::VERSION];
        $options = [
            CURLOPT_URL => $this->baseUrl . $path . self::writeQuery($query),
            CURLOPT_CUSTOMREQUEST => $method,
            CURLOPT_RETURNTRANSFER => true,
            CURLOPT_TIMEOUT => $this->timeoutSeconds,
            // A redirect would send the body and the key to an address that was never entered.
            CURLOPT_FOLLOWLOCATION => false,
        ];
        if ($body !== null) {
            $headers[] = 'Content-Type: application/json';
            $options[CURLOPT_POSTFIELDS] = json_encode((object) $body, JSON_THROW_ON_ERROR | JSON_PRESERVE_ZERO_FRACTION);
        }
        if ($idempotencyKey !== null) {
            $headers[] = "Idempotency-Key: $idempotencyKey";
        }
        $options[CURLOPT_HTTPHEADER] = $headers;
        for ($retries = 0; ; $retries++) {
            try {
                return $this->sendOnce($options);
            } catch (ApiException | NoAnswerException $error) {
                $wait = self::waitBeforeRetry($error, $retries);
                if ($wait === null || !$mayRepeat || $retries >= $this->retriesMax) {
                    throw $error;
                }
                usleep((int) ($wait * 1_000_000));
            }
        }
    }

    private function sendOnce(array $options): array
    {
        $headers = [];
        $options[CURLOPT_HEADERFUNCTION] = static function ($_, string $line) use (&$headers): int {
            [$name, $value] = explode(':', $line, 2) + [1 => ''];
            $headers[strtolower(trim($name))] = trim($value);
            return strlen($line);
        };
        $request = curl_init();
        curl_setopt_array($request, $options);
        $text = curl_exec($request);
        if (!is_string($text)) {
            throw new NoAnswerException("No answer from {$this->baseUrl}: " . curl_error($request));
        }
        $status = curl_getinfo($request, CURLINFO_RESPONSE_CODE);
        $answer = json_decode($text, true);
        if ($status === 200 && ($answer['status'] ?? null) === true) {
            return $answer['data'];
        }
        $isOwn = ($answer['success'] ?? null) === false;
        throw new ApiException(
            $status,
            $isOwn ? $answer['message'] : "Answered $status, and not by Switchyard",
            $isOwn ? $answer['data'] : null,
            $headers['x-request-id'] ?? null,
            self::readRetryAfter($headers['retry-after'] ?? null),
            $isOwn ? $answer['code'] ?? null : null,
        );
    }

    /** The items of all pages, in order; a page is read when the one before is used up. */
    private static function iterate(\Closure $readPage, string $items): \Generator
    {
        $cursor = null;
        do {
            $page = $readPage($cursor);
            foreach ($page[$items] as $item) {
                yield $item;
            }
            $cursor = $page['nextCursor'];
        } while ($cursor !== null);
    }

    /** An id often comes from a browser. Encoding is not enough: an empty one, or `..`, is the address of something else. */
    private static function segment(string $name, string $value): string
    {
        $isUuid = preg_match('/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/Di', $value) === 1;
        return $isUuid ? $value : throw new IdException("$name must be a UUID");
    }

    private static function writeQuery(array $query): string
    {
        $written = array_map(self::writeValue(...), array_filter($query, static fn (mixed $value): bool => $value !== null));
        return $written === [] ? '' : '?' . http_build_query($written, '', '&', PHP_QUERY_RFC3986);
    }

    private static function writeValue(mixed $value): string
    {
        return match (true) {
            $value instanceof \DateTimeInterface => $value->format('Y-m-d\TH:i:s.vP'),
            is_array($value) => implode(',', $value),
            default => (string) $value,
        };
    }

    /** Seconds from now: the header holds them, or a date. */
    private static function readRetryAfter(?string $header): ?float
    {
        if ($header === null) {
            return null;
        }
        if (preg_match('/^\d+$/D', $header) === 1) {
            return (float) $header;
        }
        $time = strtotime($header);
        return $time === false ? null : max(0.0, (float) ($time - time()));
    }

    /** Seconds until the next try; null when another try would end the same way. */
    private static function waitBeforeRetry(ApiException|NoAnswerException $error, int $retries): ?float
    {
        // Between half and all of it, so that clients that failed together do not come back together.
        $wait = min(self::BACK_OFF_SECONDS * 2 ** $retries, self::BACK_OFF_MAX_SECONDS) * random_int(500, 1_000) / 1_000;
        if ($error instanceof NoAnswerException) {
            return $wait;
        }
        $after = $error->retryAfterSeconds;
        // A conflict that asks to come back is a first request, under the same key, that is still in flight.
        $isPassing = in_array($error->statusCode, self::PASSING_STATUSES, true) || ($error->statusCode === 409 && $after !== null);
        return $isPassing && ($after ?? 0.0) <= self::RETRY_AFTER_MAX_SECONDS ? max($wait, $after ?? 0.0) : null;
    }

    /** A key that no other call has. */
    private static function newKey(): string
    {
        return bin2hex(random_bytes(16));
    }
}

/** Webhooks from Switchyard. */
final class Webhook
{
    private const AGE_MAX_SECONDS = 300;
    private const SECRET_MIN_BYTES = 24;

    /**
     * The event of a webhook. An event may arrive more than once, under the same id.
     *
     * @param string|false|null $secret The endpoint's signing secret, `whsec_…`, as `getenv()` has it.
     * @param array<string, string|list<string>> $headers Their names in any case, as `getallheaders()`, a framework's request or, with `HTTP_`
     * before them, `$_SERVER` has them.
     * @param string $body As it was received, before any JSON parser: the signature is over its bytes.
     * @return array{id: string, type: string, createdAt: string, merchantNumber: string, data: array<string, mixed>}
     * @throws SignatureException
     */
    public static function verify(#[\SensitiveParameter] string|false|null $secret, array $headers, string $body): array
    {
        $given = [];
        foreach ($headers as $name => $value) {
            $values = array_filter((array) $value, 'is_string');
            $given[preg_replace('/^http-/', '', strtolower(strtr((string) $name, '_', '-')))] = implode(' ', $values);
        }
        // With an empty key, such as that of a variable that is not set, anyone could sign.
        $key = base64_decode(preg_replace('/^whsec_/', '', (string) $secret), true);
        if ($key === false || strlen($key) < self::SECRET_MIN_BYTES) {
            throw new SignatureException('The secret is not set, or is not whsec_ and base64, as the dashboard shows it');
        }
        $id = $given['webhook-id'] ?? '';
        $timestamp = $given['webhook-timestamp'] ?? '';
        if (preg_match('/^\d{1,12}$/D', $timestamp) !== 1 || abs(time() - (int) $timestamp) > self::AGE_MAX_SECONDS) {
            throw new SignatureException('The webhook is too old, or has no timestamp');
        }
        $expected = 'v1,' . base64_encode(hash_hmac('sha256', "$id.$timestamp.$body", $key, true));
        // Two signatures while a secret is being replaced.
        foreach (explode(' ', $given['webhook-signature'] ?? '') as $signature) {
            if (hash_equals($expected, $signature)) {
                return json_decode($body, true, flags: JSON_THROW_ON_ERROR);
            }
        }
        throw new SignatureException('The webhook has a wrong signature');
    }
}
