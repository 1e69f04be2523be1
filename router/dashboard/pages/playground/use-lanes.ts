/** The choice of the models that receive the requests. */
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import type { Model } from '../../../../shared/api/models.ts';
import type { Lane } from './turns.ts';

export type LanesChosen = Readonly<{
  models: Readonly<{ a: Model; b?: Model }>;
  /** The model in the address when the catalog does not have it; null otherwise. */
  unknown: string | null;
  choose: (lane: Lane, model: Model) => void;
  compare: () => void;
  keep: (lane: Lane) => void;
}>;

/** The first model is part of the address, so that links can name it. Throws without models. */
export function useLanes(models: readonly Model[]): LanesChosen {
  const { model: asked } = useSearch({ strict: false });
  const navigate = useNavigate();
  const [second, setSecond] = useState<string | null>(null);
  const usual = models.find(({ available }) => available) ?? models[0];
  const a = models.find(({ id }) => id === asked) ?? usual;
  if (!a) throw new Error('there is no model to choose');
  const b = models.find(({ id }) => id === second);
  const chooseFirst = ({ id }: Model) =>
    void navigate({ to: '.', search: { model: id }, replace: true });
  return {
    models: { a, ...(b ? { b } : {}) },
    unknown: asked !== undefined && a.id !== asked ? asked : null,
    choose: (lane, model) => (lane === 'a' ? chooseFirst(model) : setSecond(model.id)),
    compare: () => {
      const others = models.filter(({ id }) => id !== a.id);
      setSecond((others.find(({ available }) => available) ?? others[0] ?? a).id);
    },
    keep: (lane) => {
      if (lane === 'b' && b) chooseFirst(b);
      setSecond(null);
    },
  };
}
