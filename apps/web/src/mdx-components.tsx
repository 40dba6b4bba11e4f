import Link from 'next/link';
import type { ReactNode } from 'react';
import { BaseAddress } from '#/app/docs/_components/base-address.tsx';
import { CallOf } from '#/app/docs/_components/code/call-of.tsx';
import { CodeBlock } from '#/app/docs/_components/code/code-block.tsx';
import { InstallationCode } from '#/app/docs/_components/code/installation-code.tsx';
import { EventBody, RecordedAnswer } from '#/app/docs/_components/code/recorded.tsx';
import { SampleView } from '#/app/docs/_components/code/sample-view.tsx';
import { Dialect } from '#/app/docs/_components/dialect.tsx';
import { HeadCell, Note, PlainTable, Section, Steps, Table } from '#/app/docs/_components/prose.tsx';
import { Faults, SandboxAddress, TestCards } from '#/app/docs/_components/sandbox.tsx';

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
