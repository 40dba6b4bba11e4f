import Link from 'next/link';
import { TOPICS } from './_content/topics.ts';
import { docsData } from './_reference/api-document.ts';

/** Where to begin. */
export default function DocsOverview() {
  const { base } = docsData();
  const rest = TOPICS.filter(({ slug }) => slug !== 'quickstart');
  return (
    <div className="max-w-[960px] mx-auto pt-12 pb-24">
      <h1 className="text-[34px] font-[650] leading-[1.15] tracking-[-0.025em]">Take payments through one API</h1>
      <p className="max-w-[640px] mt-3.5 text-ink-quiet text-[17px] leading-[1.6]">
        One call starts a payment. Switchyard chooses the gateway that is most likely to take it, falls back to another when it
        does not answer, and sends your server an event when the money has arrived.
      </p>
      <div className="flex flex-wrap gap-2.5 mt-6">
        <Link
          href="/docs/quickstart"
          className="py-2.25 px-4.5 border border-accent rounded-xl text-base font-medium no-underline bg-accent text-on-accent hover:bg-accent-hover"
        >
          Quickstart
        </Link>
        <Link
          href="/docs/api"
          className="py-2.25 px-4.5 border border-accent rounded-xl text-base font-medium no-underline border-line-strong text-ink hover:bg-ground-hover"
        >
          API reference
        </Link>
      </div>
      <dl className="lined-facts [--columns:120px_minmax(0,1fr)] grid grid-cols-[repeat(auto-fit,minmax(min(400px,100%),1fr))] gap-x-10 mt-10 [&_dt]:text-ink-faint">
        <div>
          <dt>Base address</dt>
          <dd>
            <code>{base}</code>
          </dd>
        </div>
        <div>
          <dt>Authentication</dt>
          <dd>
            <code>Authorization: Bearer sk_test_…</code>, from your server
          </dd>
        </div>
        <div>
          <dt>Format</dt>
          <dd>JSON; amounts in whole naira; times in ISO 8601, UTC</dd>
        </div>
        <div>
          <dt>For machines</dt>
          <dd>
            <a href="/v1/openapi.json">OpenAPI 3.1</a>, and every page as Markdown: <a href="/llms.txt">llms.txt</a>
          </dd>
        </div>
      </dl>
      <ul className="grid grid-cols-[repeat(auto-fill,minmax(min(280px,100%),1fr))] gap-4 mt-10">
        {rest.map(({ slug, label, lead }) => (
          <li key={slug}>
            <Link
              href={`/docs/${slug}`}
              className="flex flex-col gap-1.5 h-full py-4.5 px-5 border border-line rounded-[9px] text-inherit no-underline hover:border-line-strong hover:bg-ground-quiet"
            >
              <span className="text-accent-ink text-[15px] font-semibold">{label}</span>
              <span className="text-ink-quiet text-[13.5px] leading-[1.55]">{lead}</span>
            </Link>
          </li>
        ))}
      </ul>
    </div>
  );
}
