import { z } from 'zod';
import recorded from './recorded-examples.json' with { type: 'json' };

/*
 * Answers of the product to real calls, recorded and compared by `e2e/documentation`: `RECORD_EXAMPLES=1` writes the file anew.
 */

const json = z.record(z.string(), z.unknown());
const schema = z.object({
  answers: z.array(
    z.object({
      name: z.string(),
      summary: z.string(),
      /** The one endpoint that answers so; null for any. */
      operationId: z.string().nullable(),
      /** The name of the failure; null for an answer of status 200. */
      failure: z.string().nullable(),
      request: z.object({
        method: z.string(),
        path: z.string(),
        headers: z.record(z.string(), z.string()),
        body: json.optional(),
      }),
      status: z.int(),
      /** Those headers of the answer that examples show. */
      headers: z.record(z.string(), z.string()),
      body: json,
    }),
  ),
  /** A body of each type of webhook event. */
  events: z.record(z.string(), json),
});

/** The recorded calls and events. */
export type RecordedExamples = z.infer<typeof schema>;

/** A call and what was answered. */
export type RecordedAnswer = RecordedExamples['answers'][number];

const RECORDED_URL = 'https://switchyard.example';

/** The examples, as an installation at `publicUrl` would have answered them. */
export function recordedExamples(publicUrl: string): RecordedExamples {
  return schema.parse(JSON.parse(JSON.stringify(recorded).replaceAll(RECORDED_URL, publicUrl)));
}
