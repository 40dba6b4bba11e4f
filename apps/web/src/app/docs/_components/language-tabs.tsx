'use client';

import { Tabs } from '@mantine/core';
import type { ReactNode } from 'react';
import { CopyButton } from '../../../components/copyable.tsx';
import { LANGUAGE_NAMES, type Language } from '../_content/samples/languages.ts';
import classes from './code.module.css';
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
    <Tabs
      unstyled
      className={classes.block}
      value={shown.language}
      onChange={(value) => {
        const language = panels.find((panel) => panel.language === value)?.language;
        if (language !== undefined) choose(language);
      }}
    >
      <div className={classes.head}>
        <Tabs.List className={classes.tabs} aria-label={`Language of: ${label}`}>
          {panels.map(({ language }) => (
            <Tabs.Tab key={language} value={language} className={classes.tab}>
              {LANGUAGE_NAMES[language]}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <CopyButton text={shown.code} label={label} />
      </div>
      {panels.map(({ language, drawn }) => (
        <Tabs.Panel key={language} value={language}>
          {drawn}
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}
