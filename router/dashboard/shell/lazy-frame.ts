/** The dashboard's frame, whose code visitors do not load. */
import { lazyRouteComponent } from '@tanstack/react-router';
import { hadSession } from '../api/me.ts';

export const LazyFrame = lazyRouteComponent(() => import('./frame.tsx'), 'Frame');

// Who is signed in gets it around every page. A frame that React would have to wait for appears 300 ms
// late, because React replaces placeholders no faster.
if (hadSession) void LazyFrame.preload?.();
