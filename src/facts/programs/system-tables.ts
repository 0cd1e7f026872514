import type { CommandTable } from '../host.ts'
import { fleets } from './cloud/fleets.ts'
import { databases } from './data/databases.ts'
import { dumps } from './data/dumps.ts'
import { stores } from './data/stores.ts'
import { buses } from './devices/buses.ts'
import { archives } from './files/archives.ts'
import { disks } from './files/disks.ts'
import { editors } from './files/editors.ts'
import { files } from './files/files.ts'
import { permissions } from './files/permissions.ts'
import { searching } from './files/search.ts'
import { streams } from './files/streams.ts'
import { text } from './files/text.ts'
import { connecting } from './network/connect.ts'
import { curl } from './network/curl.ts'
import { fetching } from './network/fetch.ts'
import { handingOver } from './network/handing-over.ts'
import { messages } from './network/messages.ts'
import { networkSettings } from './network/netconf.ts'
import { probing } from './network/probe.ts'
import { serving } from './network/serving.ts'
import { transfers } from './network/transfer.ts'
import { crypto } from './secrets/crypto.ts'
import { vaults } from './secrets/vaults.ts'
import { desktop } from './system/desktop.ts'
import { machineTools } from './system/machine-tools.ts'
import { macos } from './system/macos.ts'
import { osPackages } from './system/os-packages.ts'
import { lowLevelPackages } from './system/os-packages-low.ts'
import { processes } from './system/processes.ts'
import { quiet } from './system/quiet.ts'
import { services } from './system/services.ts'
import { system } from './system/system.ts'
import { windowsPrograms } from './windows/programs.ts'
import { windowsShell } from './windows/shell.ts'
import { windowsTools } from './windows/tools.ts'
import { windows } from './windows/windows.ts'

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
  dumps,
  editors,
  messages,
  quiet,
  stores,
  vaults,
  desktop,
  lowLevelPackages,
  machineTools,
  windowsTools,
  buses,
]
