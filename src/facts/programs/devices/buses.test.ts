import { cases } from '../table-harness.ts'

cases('buses', [
  ['cansend can0 201#02FF', 'change device:act can0 !'],
  ['cansend vcan0 201#02FF', ''],
  ['cangen vcan1 -n 5', ''],
  ['candump -n 20 can0', ''],
  ['canplayer -I drive.log', 'read drive.log | change device:act can !'],
  ['canplayer -I drive.log vcan0=can0', 'read drive.log'],
  ['canplayer -I drive.log can0=vcan0', 'read drive.log | change device:act can0 !'],
  ['mbpoll -m tcp -a 1 -r 40 -c 4 10.3.0.7', ''],
  ['mbpoll -m tcp -a 1 -r 40 -t 0 10.3.0.7 1', 'change device:act 10.3.0.7 !'],
  ['mbpoll -m tcp -r 40 127.0.0.1 1', ''],
  ['i2cset -y 1 0x50 0 0xff', 'change device:act i2c !'],
  ['i2cget -y 1 0x50 0', ''],
])

cases('lines and power', [
  ['gpioset gpiochip0 17=1', 'change device:act gpio !'],
  ['gpioget gpiochip0 17', ''],
  ['gpioset --help', ''],
  ['uhubctl', ''],
  ['uhubctl -l 1-1 -p 2 -a off', 'change device:act usb power !'],
  ['usbrelay', ''],
  ['usbrelay HURTM_1=1', 'change device:act relay !'],
])

cases('the air', [
  ['hackrf_transfer -r out.iq -f 433920000', ''],
  ['hackrf_transfer -t gate.iq -f 433920000', 'change device:act radio !'],
  ['irsend LIST "" ""', ''],
  ['irsend SEND_ONCE projector KEY_POWER', 'change device:act infrared !'],
])

cases('programmers', [
  ['avrdude -c usbasp -p m328p -U flash:r:dump.hex:i', ''],
  ['avrdude -p m328p -U flash:w:a.hex', 'change dev:flash board !'],
  ['avrdude -c usbasp -p m328p -U lfuse:w:0x62:m', 'change device:act fuses ! | change dev:flash board !'],
  ['avrdude -c usbasp -p m328p -e', 'change dev:flash board !'],
])

cases('brokers', [
  ['mosquitto_pub -h localhost -t a -m hi', 'send net:upload localhost !'],
  ['mosquitto_pub -h x.example -t a -m hi', 'send net:upload x.example ! | change device:act x.example !'],
])
