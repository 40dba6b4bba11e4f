import { FILE_TYPES } from '@switchyard/reporting/files';
import { openReportFile } from '@switchyard/scheduled-reports/links';
import { streamOf } from '../http/bodies.ts';
import type { Switchyard } from '../process.ts';

/** Headers for an address with a secret in it: no copy is kept, and no page learns of it. */
const PRIVATE = {
  'cache-control': 'no-store, private',
  'referrer-policy': 'no-referrer',
  'x-robots-tag': 'noindex',
};

/**
 * Answers the link to the file of a scheduled report, without a session: the link is the right to it. Each download is in the audit log.
 * Every link that does not work is answered by the same 404.
 */
export async function answerReportFile(switchyard: Switchyard, token: string): Promise<Response> {
  const file = await openReportFile(switchyard, token);
  if (file === null)
    return new Response('This link does not work.\n', { status: 404, headers: { ...PRIVATE, 'content-type': 'text/plain' } });
  async function* content() {
    if (file !== null) yield* file.content;
  }
  return new Response(streamOf(content()), {
    headers: {
      ...PRIVATE,
      'content-type': FILE_TYPES[file.format],
      'content-length': String(file.bytes),
      'content-disposition': `attachment; filename="${file.name}"`,
    },
  });
}
