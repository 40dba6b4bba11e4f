import type { Sample } from './languages.ts';

/** Sends a call again until it is answered, under one Idempotency-Key. */
export const retrySample: Sample = {
  title: 'Try again safely',
  code: {
    typescript: `// retry.ts, with @types/node: Node 22.18 or later runs it as it is, Node 20 after compiling it
import { randomUUID } from 'node:crypto';
import process from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';

/** Calls again after no answer, 409 with Retry-After, 429, 500 and 503: at most five times, under one key. */
export async function post(path: string, body: object, key: string = randomUUID()): Promise<Response> {
  for (let tries = 1; ; tries++) {
    const response = await fetch(\`\${process.env.SWITCHYARD_URL}\${path}\`, {
      method: 'POST',
      headers: {
        Authorization: \`Bearer \${process.env.SWITCHYARD_API_KEY}\`,
        'Content-Type': 'application/json',
        'Idempotency-Key': key,
      },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(30_000),
    }).catch(() => null); // no answer: the payment may exist, and the key finds it
    const wait = response?.headers.get('Retry-After');
    const again = response === null || response.status === 500 || wait != null;
    if (response !== null && (!again || tries === 5)) return response;
    if (tries === 5) throw new Error('no answer');
    await pause(wait ? Number(wait) * 1000 : 2 ** tries * 500 * Math.random());
  }
}
`,
    php: `<?php
// retry.php: calls again after no answer, 409 with Retry-After, 429, 500 and 503, under one key
function post(string $path, array $body, string $key): array
{
    for ($tries = 1; ; $tries++) {
        $wait = null;
        $request = curl_init(getenv('SWITCHYARD_URL') . $path);
        curl_setopt_array($request, [
            CURLOPT_RETURNTRANSFER => true,
            CURLOPT_TIMEOUT => 30,
            CURLOPT_POSTFIELDS => json_encode($body),
            CURLOPT_HTTPHEADER => [
                'Authorization: Bearer ' . getenv('SWITCHYARD_API_KEY'),
                'Content-Type: application/json',
                'Idempotency-Key: ' . $key,
            ],
            CURLOPT_HEADERFUNCTION => function ($request, string $line) use (&$wait): int {
                if (stripos($line, 'retry-after:') === 0) {
                    $wait = (int) trim(substr($line, strlen('retry-after:')));
                }
                return strlen($line);
            },
        ]);
        $text = curl_exec($request);
        $status = curl_getinfo($request, CURLINFO_HTTP_CODE);
        $again = $text === false || $status === 500 || $wait !== null;
        if ($text !== false && (!$again || $tries === 5)) {
            return [$status, json_decode($text, true)];
        }
        if ($tries === 5) {
            throw new RuntimeException('no answer');
        }
        usleep($wait !== null ? $wait * 1_000_000 : random_int(0, 2 ** $tries * 500_000));
    }
}
`,
    python: `# retry.py
import os
import random
import time
import requests


def post(path, body, key):
    """Calls again after no answer, 409 with Retry-After, 429, 500 and 503: at most five times, under one key."""
    for tries in range(1, 6):
        wait = None
        try:
            response = requests.post(
                os.environ["SWITCHYARD_URL"] + path,
                headers={"Authorization": f"Bearer {os.environ['SWITCHYARD_API_KEY']}", "Idempotency-Key": key},
                json=body,
                timeout=30,
            )
            wait = response.headers.get("Retry-After")
            if (response.status_code != 500 and wait is None) or tries == 5:
                return response
        except requests.RequestException:  # no answer: the payment may exist, and the key finds it
            if tries == 5:
                raise
        time.sleep(int(wait) if wait else random.random() * 2**tries * 0.5)
`,
    go: `// retry.go: calls again after no answer, 409 with Retry-After, 429, 500 and 503, under one key
package switchyard

import (
	"bytes"
	"math/rand"
	"net/http"
	"os"
	"strconv"
	"time"
)

func Post(path string, body []byte, key string) (*http.Response, error) {
	client := http.Client{Timeout: 30 * time.Second}
	for tries := 1; ; tries++ {
		request, err := http.NewRequest("POST", os.Getenv("SWITCHYARD_URL")+path, bytes.NewReader(body))
		if err != nil {
			return nil, err
		}
		request.Header.Set("Authorization", "Bearer "+os.Getenv("SWITCHYARD_API_KEY"))
		request.Header.Set("Content-Type", "application/json")
		request.Header.Set("Idempotency-Key", key)
		response, err := client.Do(request)
		wait := time.Duration(rand.Float64() * float64(uint(1)<<tries) * float64(500*time.Millisecond))
		again := err != nil || response.StatusCode == http.StatusInternalServerError
		if err == nil {
			if seconds, parseErr := strconv.Atoi(response.Header.Get("Retry-After")); parseErr == nil {
				again, wait = true, time.Duration(seconds)*time.Second
			}
		}
		if !again || tries == 5 {
			return response, err
		}
		if err == nil {
			response.Body.Close()
		}
		time.Sleep(wait)
	}
}
`,
  },
};
