import { writeDocument } from '../documents.ts';

const written = new Map<string, string | null>();

/** `GET /docs/<page>.md`: a page of the documentation as Markdown, for agents and other programs. */
export async function GET(_request: Request, { params }: { params: Promise<{ page: string }> }): Promise<Response> {
  const { page } = await params;
  const text = written.get(page) ?? writeDocument(page);
  if (text === null) return new Response('There is no such page. All pages: /llms.txt\n', { status: 404 });
  written.set(page, text);
  return new Response(text, { headers: { 'content-type': 'text/markdown; charset=utf-8' } });
}
