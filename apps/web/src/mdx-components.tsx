import Link from 'next/link';
import type { ReactNode } from 'react';
import { CallOf, CodeBlock, EventBody, RecordedAnswer, SampleView } from './app/docs/_components/code/code-block.tsx';
import {
  Dialect,
  Faults,
  HeadCell,
  installationText,
  Note,
  PlainTable,
  SandboxAddress,
  Section,
  Steps,
  Table,
  TestCards,
} from './app/docs/_components/prose.tsx';
import { docsData } from './app/docs/_reference/api-document.ts';

/** An address of this installation. */
function BaseAddress({ path }: { path: string }) {
  return <code>{`${docsData().base}${path}`}</code>;
}

/** Commands to copy, with the addresses of this installation and of its sandbox in place of the ones that they are written with. */
function InstallationCode({ code, title, label }: { code: string; title: string; label: string }) {
  return <CodeBlock code={installationText(code, docsData().base)} language="curl" title={title} label={label} />;
}

/** A link of a page's text. */
function PageLink({ href = '', children }: { readonly href?: string; readonly children?: ReactNode }) {
  return href.startsWith('/docs') ? <Link href={href}>{children}</Link> : <a href={href}>{children}</a>;
}

/** Parts that pages of documentation may use without an import. */
const COMPONENTS = {
  a: PageLink,
  ol: Steps,
  table: PlainTable,
  th: HeadCell,
  BaseAddress,
  CallOf,
  CodeBlock,
  Dialect,
  EventBody,
  Faults,
  InstallationCode,
  Note,
  RecordedAnswer,
  SampleView,
  SandboxAddress,
  Section,
  Table,
  TestCards,
} as const;

/** Components of MDX pages, found here by `@next/mdx`. */
export function useMDXComponents(): typeof COMPONENTS {
  return COMPONENTS;
}
