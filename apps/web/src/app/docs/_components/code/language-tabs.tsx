'use client';

import type { ReactNode } from 'react';
import { LANGUAGE_NAMES, type Language } from '#/app/docs/_content/samples/languages.ts';
import { CopyButton } from '#/components/copyable/copyable.tsx';
import { Tabs } from '#/components/tabs/tabs.tsx';
import { useLanguage } from './language-choice.tsx';

interface LanguagePanel {
  readonly language: Language;
  readonly code: string;
  readonly drawn: ReactNode;
}

/** One sample in several languages. All samples show the chosen language; one that lacks it shows its first. */
export function LanguageTabs({ label, panels }: { label: string; panels: readonly LanguagePanel[] }) {
  const { chosen, choose } = useLanguage();
  const shown = panels.find(({ language }) => language === chosen) ?? panels[0];
  if (shown === undefined) return null;
  return (
    <div className="min-w-0 border border-line rounded-[8px] bg-ground-quiet">
      <Tabs
        label={`Language of: ${label}`}
        variant="code"
        tabs={panels.map(({ language }) => ({ value: language, label: LANGUAGE_NAMES[language] }))}
        value={shown.language}
        onChange={choose}
        beside={<CopyButton text={shown.code} label={label} />}
      >
        {shown.drawn}
      </Tabs>
    </div>
  );
}
