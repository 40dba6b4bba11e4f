import { RULE_SET_FILE_SCHEMA_PATH, ruleSetFileJsonSchema } from '@switchyard/rule-sets/files';
import type { PlainRequest, PlainResponse } from '../http/plain.ts';
import type { Switchyard } from '../process.ts';

/** `GET /schemas/rule-set-1.json`: the JSON Schema of exported rules, for editors and for a merchant's own checks. */
export async function serveRuleSetSchema({ resources }: Switchyard, request: PlainRequest): Promise<PlainResponse> {
  const headers = { 'content-type': 'application/schema+json; charset=utf-8', 'cache-control': 'public, max-age=300' };
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    return { status: 405, headers: { ...headers, allow: 'GET, HEAD', 'cache-control': 'no-store' }, body: '' };
  }
  const schema = ruleSetFileJsonSchema(`${resources.publicUrl}${RULE_SET_FILE_SCHEMA_PATH}`);
  return { status: 200, headers, body: JSON.stringify(schema, null, 2) };
}
