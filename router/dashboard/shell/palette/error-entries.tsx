/** The requests with an error in the logs, by the code of the error or its HTTP status. */
import { useNavigate } from '@tanstack/react-router';
import { PAGES } from '../../pages.ts';
import { EXPLAINED_CODES } from '../../pages/usage/explanations.ts';
import { useMaySee } from '../../session.tsx';
import { PAGE_ICONS } from '../navigation.tsx';
import type { EntryGroup } from './entry.ts';
import { statusWords } from './status-words.ts';

/** They are offered for a search only: the list without one begins with what people open. */
export function useErrorGroup(search: string, organization: string | null): EntryGroup {
  const navigate = useNavigate();
  const maySee = useMaySee();
  const title = 'Requests with this error';
  if (organization === null || search.trim() === '' || !maySee(PAGES.logs.needs)) {
    return { title, entries: [] };
  }
  const params = { organization };
  return {
    title,
    entries: EXPLAINED_CODES.map((code) => ({
      key: `logs ${code}`,
      icon: PAGE_ICONS.logs,
      name: code,
      note: PAGES.logs.title,
      words: statusWords(code),
      open: () => navigate({ to: PAGES.logs.path, params, search: { code } }),
    })),
  };
}
