import { useEffect, useState } from 'react';

/**
 * Loads code after the page that uses it is drawn. Undefined until then. Unlike React's `lazy`, whose
 * placeholders stay for at least 300 ms, what it draws appears as soon as it is loaded. `load` must
 * stay the same. Throws if the code cannot be loaded.
 */
export function useCode<Code>(load: () => Promise<Code>): Code | undefined {
  const [loaded, setLoaded] = useState<() => Code>();
  useEffect(() => {
    load().then(
      (code) => setLoaded(() => () => code),
      (error: unknown) =>
        setLoaded(() => () => {
          throw error;
        }),
    );
  }, [load]);
  return loaded?.();
}
