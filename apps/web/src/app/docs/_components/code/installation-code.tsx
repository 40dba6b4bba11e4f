import { docsData } from '#/app/docs/docs-data.ts';
import { installationText } from '#/app/docs/installation-text.ts';
import { CodeBlock } from './code-block.tsx';

/** Commands to copy, with the addresses of this installation and of its sandbox in place of the ones that they are written with. */
export function InstallationCode({ code, title, label }: { code: string; title: string; label: string }) {
  return <CodeBlock code={installationText(code, docsData().base)} language="curl" title={title} label={label} />;
}
