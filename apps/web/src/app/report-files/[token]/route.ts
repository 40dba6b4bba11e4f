import { processSwitchyard } from '#/server/native/process.ts';
import { answerReportFile } from '#/server/native/report-file.ts';

export const dynamic = 'force-dynamic';

export async function GET(_: Request, { params }: { readonly params: Promise<{ readonly token: string }> }): Promise<Response> {
  return answerReportFile(processSwitchyard(), (await params).token);
}

/** Programs that look at links before a person opens them: an answer that says nothing, and that is not a download. */
export const HEAD = (): Response => new Response(null, { status: 405, headers: { allow: 'GET', 'cache-control': 'no-store' } });
