import { Link } from '@tanstack/react-router';
import type { AuditEntry } from '../../../../shared/api/audit.ts';
import { useMe } from '../../session.tsx';
import { namedObject } from './named-object.ts';

/** An entry as a sentence, in which what was changed is a link to its page. */
export function EntrySentence({ entry }: { entry: AuditEntry }) {
  const object = namedObject(entry, useMe().operator);
  if (object === null) return entry.summary;
  const [before, name, after] = object.parts;
  return (
    <>
      {before}
      <Link
        {...object.place}
        className="underline decoration-line-strong underline-offset-2 hover:decoration-current"
      >
        {name}
      </Link>
      {after}
    </>
  );
}
