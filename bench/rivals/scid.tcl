# Scid 4.7 without a display: tkscid scid.tcl DATABASE FILE.pgn
#
# Makes a database of the games and prints how many there are.
set database [lindex $argv 0]
file delete $database.si4 $database.sg4 $database.sn4
sc_base create SCID4 $database
set base [sc_base current]
sc_base import $base [lindex $argv 1]
puts [sc_base numGames $base]
sc_base close $base
exit
