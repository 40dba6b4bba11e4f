'use client';

import { createContext, type ReactNode, useContext, useMemo, useState } from 'react';
import { LANGUAGE_NAMES, LANGUAGES, type Language } from '#/app/docs/_content/samples/languages.ts';
import { rememberInCookie } from '#/app-shell/remember.ts';
import { CopyButton } from '#/components/copyable/copyable.tsx';
import { Tabs } from '#/components/tabs/tabs.tsx';
import { LANGUAGE_COOKIE } from './language-cookie.ts';

interface LanguageChoice {
  readonly chosen: Language;
  readonly choose: (language: Language) => void;
}

const Choice = createContext<LanguageChoice>({ chosen: 'curl', choose: () => {} });

/** Keeps the language of samples: one choice for all pages, also of the next visit. */
export function LanguageProvider({ remembered, children }: { remembered: string | undefined; children: ReactNode }) {
  const [chosen, setChosen] = useState<Language>(LANGUAGES.find((language) => language === remembered) ?? 'curl');
  const choice = useMemo(
    () => ({
      chosen,
      choose: (language: Language) => {
        setChosen(language);
        rememberInCookie(LANGUAGE_COOKIE, language);
      },
    }),
    [chosen],
  );
  return <Choice value={choice}>{children}</Choice>;
}

/** The chosen language of samples. */
function useLanguage(): LanguageChoice {
  return useContext(Choice);
}

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
