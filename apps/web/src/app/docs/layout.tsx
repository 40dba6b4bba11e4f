import type { Metadata } from 'next';
import { cookies } from 'next/headers';
import Link from 'next/link';
import type { ReactNode } from 'react';
import { SchemeSwitch } from '#/app-shell/scheme-switch.tsx';
import { Logo } from '#/components/page/logo.tsx';
import { LanguageProvider } from './_components/code/language-choice.tsx';
import { LANGUAGE_COOKIE } from './_components/code/language-cookie.ts';
import { DocsNav, type NavGroup } from './_components/docs-nav.tsx';
import { DocsSearch } from './_components/search/docs-search.tsx';
import { TOPIC_GROUPS } from './_content/topics.ts';
import { docsData } from './_reference/api-document.ts';
import classes from './docs.module.css';

export const metadata: Metadata = {
  title: { default: 'Documentation', template: '%s · Switchyard documentation' },
  description: 'How to take payments through Switchyard',
};

/** The frame of the documentation: navigation, search, and the language that samples are shown in. Needs no session. */
export default async function DocsLayout({ children }: { children: ReactNode }) {
  const remembered = (await cookies()).get(LANGUAGE_COOKIE)?.value;
  return (
    <LanguageProvider remembered={remembered}>
      <div className={classes.page}>
        <header className="[grid-area:bar] sticky top-0 z-10 flex items-center gap-4 h-14 px-5 border-b border-line bg-ground max-phone:gap-2.5 max-phone:px-3">
          <Link
            href="/docs"
            className="flex items-center gap-2.5 text-ink text-lg font-semibold no-underline min-[1000px]:w-[212px]"
          >
            <Logo />
            Switchyard <span className="-ml-1 text-ink-quiet font-normal">docs</span>
          </Link>
          <DocsSearch />
          <div className="flex items-center gap-2 ml-auto">
            <Link
              href="/"
              className="py-1.5 px-2.5 rounded-lg text-ink-quiet text-[13.5px] no-underline hover:bg-ground-hover hover:text-ink max-phone:hidden"
            >
              Dashboard
            </Link>
            <SchemeSwitch />
          </div>
        </header>
        <DocsNav groups={navigation()} />
        <main className="area-main min-w-0 px-5 min-[1000px]:py-0 min-[1000px]:px-10">{children}</main>
      </div>
    </LanguageProvider>
  );
}

function navigation(): NavGroup[] {
  const { api } = docsData();
  const operations = api.operations.map(({ operationId, summary }) => ({ href: `/docs/api#${operationId}`, label: summary }));
  return [
    ...TOPIC_GROUPS.map(({ title, topics }) => ({
      title,
      links: [
        ...(title === TOPIC_GROUPS[0]?.title ? [{ href: '/docs', label: 'Overview' }] : []),
        ...topics.map(({ slug, label }) => ({ href: `/docs/${slug}`, label })),
      ],
    })),
    {
      title: 'Reference',
      links: [
        { href: '/docs/api', label: 'API reference', inner: [...operations, { href: '/docs/api#objects', label: 'Objects' }] },
      ],
    },
  ];
}
