import { docsData, recordedAnswer } from '#/app/docs/docs-data.ts';
import { CodeBlock } from './code-block.tsx';

/** The recorded call of an answer, as a command to paste. `label` names it where its summary is not enough. */
export function CallOf({ name, label }: { name: string; label?: string }) {
  const { summary, request } = recordedAnswer(name);
  return (
    <CodeBlock
      code={curlOf(request)}
      language="curl"
      title={`${request.method} ${request.path}`}
      label={label ?? `Call: ${summary}`}
    />
  );
}

/** A recorded request as a shell command. */
export function curlOf({ method, path, headers, body }: ReturnType<typeof recordedAnswer>['request']): string {
  const address = /[?&]/.test(path) ? `"${docsData().base}${path}"` : `${docsData().base}${path}`;
  const verb = method === 'GET' || body !== undefined ? '' : `-X ${method} `;
  const lines = [`curl ${verb}${address}`, '-H "Authorization: Bearer $SWITCHYARD_API_KEY"'];
  if (body !== undefined) lines.push('-H "Content-Type: application/json"');
  if (headers['idempotency-key'] !== undefined) lines.push(`-H "Idempotency-Key: ${headers['idempotency-key']}"`);
  if (body !== undefined) lines.push(`-d '${JSON.stringify(body, null, 2).replaceAll("'", "'\\''")}'`);
  return lines.join(' \\\n  ');
}
