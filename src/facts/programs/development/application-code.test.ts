import { describe, expect, test } from 'vitest'
import { facts } from '../../bash/harness.ts'

/** What the console of an application does to its database: `action` of each effect on it, with `all` or `some` for rows. */
function done(command: string): readonly string[] {
  const { effects } = facts(command, { files: { '/repo/drop.sql': 'DROP TABLE users;' } })
  return effects
    .filter(({ verb, action }) => verb === 'delete' && action?.startsWith('sql:') === true)
    .map(({ action, attributes: { where } }) => [action, where === undefined ? '' : where === true ? 'some' : 'all'].join(' ').trim())
}

const CASES: readonly (readonly [string, readonly string[]])[] = [
  [`rails runner 'User.delete_all'`, ['sql:delete all']],
  [`RAILS_ENV=production bin/rails runner "User.destroy_all"`, ['sql:delete all']],
  [`bin/rails r 'User.where(old: true).destroy_all'`, ['sql:delete some']],
  [`rails runner 'User.find(1).destroy'`, []],
  [`rails runner 'User.all.each { |u| u.destroy }'`, ['sql:delete all']],
  [`rails runner 'ActiveRecord::Base.connection.execute("DROP TABLE users")'`, ['sql:drop']],
  [`rails runner 'ActiveRecord::Base.connection.execute("DELETE FROM users WHERE id = 1")'`, ['sql:delete some']],
  [`rails runner 'puts User.count; puts User.all.map(&:name)'`, []],
  [`echo 'User.delete_all' | rails console`, ['sql:delete all']],
  [`echo 'User.delete_all' | rails console --sandbox`, []],
  [`rails runner - <<< 'User.delete_all'`, ['sql:delete all']],
  ['rails dbconsole < drop.sql', ['sql:drop']],
  [`echo 'TRUNCATE users' | rails db`, ['sql:truncate']],
  [`echo 'SELECT 1' | rails db`, []],
  [`php artisan tinker --execute='User::truncate();'`, ['sql:truncate']],
  [`php artisan tinker --execute='DB::table("users")->delete();'`, ['sql:delete all']],
  [`php artisan tinker --execute='DB::table("users")->where("id", 1)->delete();'`, ['sql:delete some']],
  [`php artisan tinker --execute='DB::statement("DROP TABLE users");'`, ['sql:drop']],
  [`php artisan tinker --execute='Schema::dropIfExists("users");'`, ['sql:truncate']],
  [`php artisan tinker --execute='User::find(1)->delete(); echo User::all()->count();'`, []],
  [`python manage.py shell -c "User.objects.all().delete()"`, ['sql:delete all']],
  [`python manage.py shell -c "User.objects.filter(x=1).delete()"`, ['sql:delete some']],
  [`python manage.py shell_plus --command 'print(User.objects.count())'`, []],
  [`echo "User.objects.all().delete()" | python manage.py shell`, ['sql:delete all']],
  [`python manage.py dbshell <<< 'DROP TABLE users'`, ['sql:drop']],
  ['python manage.py dbshell < drop.sql', ['sql:drop']],
  [`flask shell <<< 'db.drop_all()'`, ['sql:truncate']],
]

describe('what the code of a console does to the models of an application', () => {
  for (const [command, expected] of CASES) test(command, () => expect(done(command)).toEqual(expected))

  for (const command of [
    'rails runner "$CODE"',
    'python manage.py shell -c "$CODE"',
    'python manage.py sqlflush | python manage.py dbshell',
  ]) {
    test(`code that is not known is said to be: ${command}`, () => expect(facts(command).coverage).toBe('partial'))
  }
})
