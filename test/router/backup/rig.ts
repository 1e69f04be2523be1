/** A ledger on a SQLite file, and a folder for its backups. */
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { backUp, type Backup } from '../../../router/backup/backup.ts';
import { type Restored, restore } from '../../../router/backup/restore.ts';
import type { CopyParts } from '../../../router/backup/verified-copy.ts';
import { verifyStore } from '../../../router/verify/verify-store.ts';
import type { OrganizationId, RequestId } from '../../../shared/ids.ts';
import type { SqlitePlace } from '../../support/store.ts';
import { STORES_FOLDER } from '../../support/stores-folder.ts';
import { LOG, REGISTRY, Rig } from '../ledger/rig.ts';

export class BackupRig implements AsyncDisposable {
  readonly rig: Rig;
  /** The file of the store. */
  readonly file: string;
  readonly organization: OrganizationId;
  readonly folder = mkdtempSync(join(STORES_FOLDER, 'penstock-backup-'));
  /** Where backups are written. */
  readonly to = join(this.folder, 'backup.db');

  private constructor(rig: Rig, organization: OrganizationId) {
    this.rig = rig;
    this.file = (rig.place as SqlitePlace).file;
    this.organization = organization;
  }

  static async start(): Promise<BackupRig> {
    const rig = await Rig.start();
    return new BackupRig(rig, await rig.organization(1_000_000_000n));
  }

  /** Makes `count` charges at once, and returns their requests. */
  async charge(count: number): Promise<RequestId[]> {
    const one = async () => {
      const request = await this.rig.hold(this.organization, 100n);
      await this.rig.settle(this.organization, request, { prompt: 3, completion: 1 });
      return request;
    };
    return await Promise.all(Array.from({ length: count }, one));
  }

  backUp(
    given: { from?: string; verify?: boolean; to?: string; signal?: AbortSignal } = {},
  ): Promise<Backup> {
    const { from = this.file, verify = true, to = this.to, signal } = given;
    return backUp({ from, verify }, to, this.#parts(signal));
  }

  /** Restores a millisecond later than before, because the names of replaced stores have the time. */
  restore(given: { from?: string; file?: string; replace?: boolean } = {}): Promise<Restored> {
    const { from = this.to, file = this.file, replace = false } = given;
    this.rig.clock.advance(1);
    return restore({ from, verify: true, replace }, file, this.#parts());
  }

  #parts(signal = new AbortController().signal): CopyParts {
    return { registry: REGISTRY, clock: this.rig.clock, log: LOG, signal };
  }

  async verify(file: string): Promise<readonly string[]> {
    const config = { url: `sqlite:${file}`, registry: REGISTRY };
    return (await verifyStore(config, { clock: this.rig.clock, log: LOG })).differences;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.rig[Symbol.asyncDispose]();
    rmSync(this.folder, { recursive: true });
  }
}
