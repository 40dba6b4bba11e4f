import { notFound } from 'next/navigation';

export const dynamic = 'force-static';
export const dynamicParams = false;

export function generateStaticParams(): { asset: string }[] {
  return [{ asset: 'script.js' }, { asset: 'style.css' }];
}

/**
 * The code and styles of GraphiQL, files that the build writes. They are taken from the library's page, which has them inlined and takes a
 * web process that renders it 120 MB.
 */
export async function GET(_request: Request, { params }: { params: Promise<{ asset: string }> }): Promise<Response> {
  const { asset } = await params;
  const { renderGraphiQL } = await import('@graphql-yoga/render-graphiql');
  const page = renderGraphiQL({ title: 'GraphQL editor · Switchyard', endpoint: '/api/graphql', defaultQuery: '' });
  switch (asset) {
    case 'script.js':
      return file(between(page, '<script>', page.lastIndexOf('</script>')), 'text/javascript');
    case 'style.css':
      return file(between(page, '<style>', page.indexOf('</style>')), 'text/css');
    default:
      notFound();
  }
}

function between(page: string, start: string, end: number): string {
  return page.slice(page.indexOf(start) + start.length, end);
}

function file(body: string, type: string): Response {
  return new Response(body, { headers: { 'content-type': `${type}; charset=utf-8` } });
}
