'use client';

import { createContext, type ReactNode, useContext, useMemo, useState } from 'react';
import { LANGUAGES, type Language } from '#/app/docs/_content/samples/languages.ts';
import { rememberInCookie } from '#/app-shell/remember.ts';
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
export function useLanguage(): LanguageChoice {
  return useContext(Choice);
}
