import type { RecordedAnswer, RecordedExamples } from '@switchyard/api/rest';
import { describeRest, recordedExamples } from '#/server/native/rest.ts';
import { publicUrl } from '#/server/public-url.ts';
import { type ApiDocument, readApiDocument } from './_reference/api-document.ts';

/** Data that the pages are made from, beside their text. */
interface DocsData {
  /** Public address of this installation. */
  readonly base: string;
  /** The description that is served at `/v1/openapi.json`. */
  readonly api: ApiDocument;
  readonly examples: RecordedExamples;
}

let data: DocsData | undefined;

/** Read once in a process: nothing of it changes while it runs. */
export function docsData(): DocsData {
  if (data === undefined) {
    const base = publicUrl();
    data = { base, api: readApiDocument(describeRest(base)), examples: recordedExamples(base) };
  }
  return data;
}

/** The recorded answer of this name; of several endpoints' the first. Throws when there is none. */
export function recordedAnswer(name: string): RecordedAnswer {
  const answer = docsData().examples.answers.find((each) => each.name === name);
  if (answer === undefined) throw new Error(`no answer is recorded as ${name}`);
  return answer;
}
