import type { CommandTable } from '../spec.ts'
import { archives } from './archives.ts'
import { connecting } from './connect.ts'
import { crypto } from './crypto.ts'
import { curl } from './curl.ts'
import { databases } from './databases.ts'
import { desktop } from './desktop.ts'
import { disks } from './disks.ts'
import { editors } from './editors.ts'
import { fetching } from './fetch.ts'
import { files } from './files.ts'
import { fleets } from './fleets.ts'
import { handingOver } from './handing-over.ts'
import { machineTools } from './machine-tools.ts'
import { macos } from './macos.ts'
import { messages } from './messages.ts'
import { networkSettings } from './netconf.ts'
import { osPackages } from './os-packages.ts'
import { lowLevelPackages } from './os-packages-low.ts'
import { permissions } from './permissions.ts'
import { probing } from './probe.ts'
import { processes } from './processes.ts'
import { quiet } from './quiet.ts'
import { searching } from './search.ts'
import { services } from './services.ts'
import { serving } from './serving.ts'
import { stores } from './stores.ts'
import { streams } from './streams.ts'
import { system } from './system.ts'
import { text } from './text.ts'
import { transfers } from './transfer.ts'
import { vaults } from './vaults.ts'
import { windows } from './windows.ts'
import { windowsPrograms } from './windows-programs.ts'
import { windowsShell } from './windows-shell.ts'
import { windowsTools } from './windows-tools.ts'

/** Families of the system's own programs; tools of development and operations are listed in tools.ts. */
export const SYSTEM: readonly CommandTable[] = [
  text,
  searching,
  streams,
  files,
  permissions,
  archives,
  curl,
  fetching,
  connecting,
  transfers,
  probing,
  networkSettings,
  processes,
  services,
  windows,
  windowsPrograms,
  windowsShell,
  fleets,
  serving,
  handingOver,
  system,
  disks,
  macos,
  osPackages,
  crypto,
  databases,
  editors,
  messages,
  quiet,
  stores,
  vaults,
  desktop,
  lowLevelPackages,
  machineTools,
  windowsTools,
]
