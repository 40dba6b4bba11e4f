import { CopyButton } from '#/components/copyable/copyable.tsx';
import { ScrollArea } from '#/components/scroll-area/scroll-area.tsx';
import classes from './code.module.css';
import { type CodeLanguage, highlight } from './highlight.ts';

interface CodeBlockProps {
  readonly code: string;
  readonly language: CodeLanguage;
  readonly title: string;
  /** Name of the code, for the copy button and for screen readers. */
  readonly label: string;
}

/** Code under a title, to copy. */
export function CodeBlock({ code, language, title, label }: CodeBlockProps) {
  return (
    <div className="min-w-0 border border-line rounded-[8px] bg-ground-quiet">
      <div className="flex items-center gap-3 min-h-10 pr-2 pl-4 border-b border-line">
        <p className="flex-1 min-w-0 text-ink-quiet text-xs font-medium truncate">{title}</p>
        <CopyButton text={code} label={label} />
      </div>
      <CodeText code={code} language={language} label={label} />
    </div>
  );
}

/** Code with its tokens coloured, which scrolls by itself. */
export function CodeText({ code, language, label }: Omit<CodeBlockProps, 'title'>) {
  return (
    <ScrollArea label={label} className="max-h-[440px] overflow-auto [border-radius:0_0_8px_8px]">
      <pre className={classes.code}>
        {/* biome-ignore lint/security/noDangerouslySetInnerHtml: our own code, escaped by the highlighter. */}
        <code dangerouslySetInnerHTML={{ __html: highlight(code, language) }} />
      </pre>
    </ScrollArea>
  );
}
